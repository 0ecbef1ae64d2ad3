# family: recursion
# title: paths remembered on the way
# time: O(n*m)
# space: O(n*m)
# english: Counts ways from a corner of a grid, going right or down, never through a place whose row and column add up to a multiple of 5; gives also how many were remembered.
# chinese: 从网格一角向右或向下走的路径数，不经过坐标和为 5 的倍数的点；并给出记忆的数量。
# call: ways(1, 1, {})
# call: ways(2, 2, {})
# call: ways(4, 3, {})
def ways(r, c, known):
    if r == 0 and c == 0:
        return 1, len(known)
    if r < 0 or c < 0 or (r + c) % 5 == 0:
        return 0, len(known)
    if (r, c) not in known:
        up, _ = ways(r - 1, c, known)
        left, _ = ways(r, c - 1, known)
        known[r, c] = up + left
    return known[r, c], len(known)
