# family: dynamic programming
# title: longest climb in small gaps
# time: O(n^2)
# space: O(n)
# english: For each digit of a text, the length of the longest subsequence ending there in which every digit is 1 to 3 larger than the one before it.
# chinese: 对文本中的每个数字，求以它结尾的最长子序列的长度，其中每个数字都比前一个大 1 到 3。
# call: climbs("2514")
# call: climbs("3146258")
# call: climbs("170438269")
def climbs(digits):
    best = []
    for i, digit in enumerate(digits):
        longest = 1
        for j in range(i):
            gap = int(digit) - int(digits[j])
            if 0 < gap <= 3:
                longest = max(longest, best[j] + 1)
        best.append(longest)
    return best
