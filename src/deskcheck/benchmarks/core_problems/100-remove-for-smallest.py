# family: greedy
# title: digits struck out for the smallest number
# time: O(n)
# space: O(n)
# english: Strikes out k digits so that what is left, read as a number, is as small as possible.
# chinese: 删去 k 个数字，使剩余数字组成的数最小。
# call: strike("21", 1)
# call: strike("4317", 2)
# call: strike("7205619", 3)
def strike(digits, k):
    kept = ""
    for digit in digits:
        while k and kept and kept[-1] > digit:
            kept = kept[:-1]
            k -= 1
        kept += digit
    if k:
        kept = kept[:-k]
    return kept
