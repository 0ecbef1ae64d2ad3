# family: dynamic programming
# title: dot product of parts
# time: O(m*n)
# space: O(n)
# english: Largest sum of products of paired numbers, pairs in order, at least one pair; numbers left out of both lists at once cost one.
# chinese: 按顺序配对的数的乘积之和的最大值，至少一对；两边同时跳过一个数花费 1。
# pattern: two sequences
# call: pairs([2, -1], [3, -2])
# call: pairs([1, 4, -2], [5, -3])
# call: pairs([-1, 3, 2], [2, -2, 4])
def pairs(xs, ys):
    best = {}
    for i, x in enumerate(xs):
        for j, y in enumerate(ys):
            before = best.get((i - 1, j - 1), -99)
            choices = [x * y + max(0, before), before - 1]
            choices.append(best.get((i - 1, j), -99))
            choices.append(best.get((i, j - 1), -99))
            best[i, j] = max(choices)
    return best[len(xs) - 1, len(ys) - 1]
