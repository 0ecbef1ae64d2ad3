# family: dynamic programming
# title: scales with a thumb
# time: O(n*s)
# space: O(s)
# english: Smallest difference of two pans when every stone is laid on one of them and a thumb of weight 1 lies on the left.
# chinese: 每块石头放在两个秤盘之一，左盘上另压有重量 1，求两盘重量差的最小值。
# pattern: take or skip
# call: balance([3, 5])
# call: balance([4, 4, 7, 1])
# call: balance([2, 9, 6, 13, 1])
def balance(stones):
    differences = {1}
    for stone in stones:
        added = {d + stone for d in sorted(differences)}
        taken = {d - stone for d in sorted(differences)}
        differences = added | taken
    least = min(abs(d) for d in sorted(differences))
    return least, len(differences)
