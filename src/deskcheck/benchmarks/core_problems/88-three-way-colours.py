# family: sorting
# title: three colours in one pass
# time: O(n)
# space: O(1)
# english: Sorts letters r, g, b in one pass with two borders and counts the swaps; another letter fails.
# chinese: 用两个边界一次遍历将 r、g、b 排序并统计交换次数；其他字母报错。
# call: flag("b")
# call: flag("gbr")
# call: flag("bgrxrb")
def flag(text):
    items = list(text)
    low, at, high, swaps = 0, 0, len(items) - 1, 0
    while at <= high:
        if items[at] == "r":
            items[low], items[at] = items[at], items[low]
            low += 1
            at += 1
        elif items[at] == "b":
            items[high], items[at] = items[at], items[high]
            high -= 1
            swaps += 1
        elif items[at] == "g":
            at += 1
        else:
            raise ValueError(items[at])
    return "".join(items), swaps
