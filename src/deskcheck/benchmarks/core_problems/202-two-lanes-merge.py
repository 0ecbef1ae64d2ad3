# family: dynamic programming
# title: two lanes merge
# time: O(m*n)
# space: O(n)
# english: In how many ways two words merge into a third with at most two letters in a row from each, and in how many last runs they end.
# chinese: 两个词交错成第三个词（同一词最多连取两个字母）的末段状态数与方式数。
# pattern: two sequences
# call: merges("ab", "ab", "aabb")
# call: merges("aaa", "b", "aaab")
# call: merges("xy", "yx", "xyyx")
def merges(left, right, both):
    states = {(0, 0, 0): 1}
    for letter in both:
        after = {}
        for (i, j, run), count in states.items():
            if i < len(left) and left[i] == letter and run != 2:
                key = (i + 1, j, max(run, 0) + 1)
                after[key] = after.get(key, 0) + count
            if j < len(right) and right[j] == letter and run != -2:
                key = (i, j + 1, min(run, 0) - 1)
                after[key] = after.get(key, 0) + count
        states = after
    return len(states), sum(states.values())
