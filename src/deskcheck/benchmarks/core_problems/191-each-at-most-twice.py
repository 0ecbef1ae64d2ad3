# family: dynamic programming
# title: each at most twice
# time: O(n*t)
# space: O(t)
# english: Number of ways to reach a total when each number may be used at most twice, and twice counts double.
# chinese: 每个数最多用两次（用两次的方案按两倍计）时，凑成总和的方案数。
# pattern: take or skip
# call: ways([1, 2], 4)
# call: ways([2, 3, 1], 6)
# call: ways([1, 1, 2, 3], 5)
def ways(numbers, total):
    counts = [1] + [0] * total
    for number in numbers:
        fresh = counts[:]
        for goal in range(number, total + 1):
            fresh[goal] += counts[goal - number]
            if goal >= 2 * number:
                fresh[goal] += 2 * counts[goal - 2 * number]
        counts = fresh
    return counts[total]
