# family: recursion
# title: moving a tower, the last moves
# time: O(2^n)
# space: O(n)
# english: Moves a tower from peg to peg in the usual way but writes down only the moves of even disks.
# chinese: 按通常方法移动汉诺塔，但只记录编号为偶数的盘的移动。
# call: tower(1, "a", "b", "c")
# call: tower(2, "x", "y", "z")
# call: tower(4, "p", "q", "r")
def tower(n, source, goal, spare):
    if n == 0:
        return []
    moves = tower(n - 1, source, spare, goal)
    if n % 2 == 0:
        moves.append(source + goal)
    return moves + tower(n - 1, spare, goal, source)
