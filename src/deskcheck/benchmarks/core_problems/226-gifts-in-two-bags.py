# family: dynamic programming
# title: gifts in two bags
# time: O(2**n)
# space: O(2**n)
# english: Subsets of weights whose sum lies in a range, and the largest of these sums that is no multiple of three.
# chinese: 重量之和落在范围内的子集数，以及其中不是 3 的倍数的最大和。
# pattern: subset
# call: bags([2, 3], 2, 4)
# call: bags([1, 4, 6], 4, 8)
# call: bags([5, 2, 7, 3], 6, 9)
def bags(weights, low, high):
    sums = [0] * (1 << len(weights))
    for mask in range(1, len(sums)):
        lowest = mask & -mask
        sums[mask] = sums[mask ^ lowest] + weights[lowest.bit_length() - 1]
    inside = [total for total in sums if low <= total <= high]
    return len(inside), max((total for total in inside if total % 3), default=0)
