# family: dynamic programming
# title: rising digit sums
# time: O(n**2)
# space: O(n)
# english: Length of the longest subsequence whose digit sums rise strictly, and the last number of the first one found.
# chinese: 各位数字之和严格递增的最长子序列的长度，以及最先找到的那个的末项。
# pattern: take or skip
# call: rising([12, 30, 4, 23])
# call: rising([9, 11, 21, 5, 40, 15])
# call: rising([100, 20, 2, 31, 13, 6, 77])
def rising(numbers):
    best = []
    for i, number in enumerate(numbers):
        digits = sum(int(d) for d in str(number))
        length = 1
        for j in range(i):
            if best[j][1] < digits:
                length = max(length, best[j][0] + 1)
        best.append((length, digits))
    top = max(length for length, digits in best)
    for (length, digits), number in zip(best, numbers):
        if length == top:
            return top, number
