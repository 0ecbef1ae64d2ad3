# family: dynamic programming
# title: ways up a stair that skips wet steps
# time: O(n)
# space: O(n)
# english: Number of ways to reach every step of a stair by going up 1 or 3 steps, never standing on a wet one.
# chinese: 每次上 1 级或 3 级且不踩湿台阶时，到达每一级台阶的走法数。
# call: climb(3, [2])
# call: climb(6, [1, 4])
# call: climb(14, [3, 9])
def climb(top, wet):
    ways = [1]
    for step in range(1, top + 1):
        if step in wet:
            ways.append(0)
            continue
        count = ways[step - 1]
        if step >= 3:
            count += ways[step - 3]
        ways.append(count)
    return ways
