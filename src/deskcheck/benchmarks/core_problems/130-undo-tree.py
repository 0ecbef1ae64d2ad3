# family: data structures
# title: versions that branch
# time: O(n)
# space: O(n)
# english: Keeps versions of a number: a digit adds to the current version, u goes back to its parent, a letter goes to a version by its place; going back from the root fails.
# chinese: 保存一个数的各版本：数字在当前版本上相加，u 回到父版本，字母跳到对应版本；从根回退报错。
# call: versions("3")
# call: versions("2u5")
# call: versions("14a3uuu")
def versions(actions):
    values, parents, now = [0], [None], 0
    for action in actions:
        if action == "u":
            now = parents[now]
        elif action.isdigit():
            values.append(values[now] + int(action))
            parents.append(now)
            now = len(values) - 1
        else:
            now = "abcdefgh".index(action)
    return values, values[now]
