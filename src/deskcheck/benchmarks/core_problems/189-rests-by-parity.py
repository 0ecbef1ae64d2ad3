# family: dynamic programming
# title: rests by parity
# time: O(n)
# space: O(n)
# english: Largest sum of values where after an odd value the next `rest` values must be skipped.
# chinese: 在取奇数之后必须跳过接下来 rest 个值的条件下，求所取值的最大和。
# pattern: take or skip
# call: take([3, 4, 5], 1)
# call: take([7, 2, 9, 8, 1], 2)
# call: take([5, 5, 6, 10, 3, 8, 11], 1)
def take(values, rest):
    best = [0] * (len(values) + 1)
    for i in range(len(values) - 1, -1, -1):
        wait = rest if values[i] % 2 else 0
        after = min(len(values), i + 1 + wait)
        best[i] = max(best[i + 1], best[after] + values[i])
    return best[0]
