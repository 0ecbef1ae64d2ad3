# family: dynamic programming
# title: longest shared run shifted
# time: O(m*n)
# space: O(n)
# english: Longest run in the first list that stands in the second with every number larger by the shift; its length and end.
# chinese: 第一个列表中每个数都加上 shift 后仍出现在第二个列表里的最长连续段：长度与结束位置。
# pattern: two sequences
# call: shifted([1, 2, 4], [3, 4, 9], 2)
# call: shifted([5, 1, 2, 3], [2, 3, 4, 5], 1)
# call: shifted([7, 7, 8, 2], [4, 4, 5, 4], -3)
def shifted(first, second, shift):
    best = (0, 0)
    row = [0] * (len(second) + 1)
    for i, x in enumerate(first, 1):
        fresh = [0]
        for j, y in enumerate(second):
            length = row[j] + 1 if x + shift == y else 0
            fresh.append(length)
            if length > best[0]:
                best = (length, i)
        row = fresh
    return best
