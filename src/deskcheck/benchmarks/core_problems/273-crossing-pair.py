# family: control
# title: crossing pair
# time: O(n)
# space: O(1)
# english: Two numbers change places; one gains the number of the turn.
# chinese: 两数互换，其一加轮次后对 97 取余。
# control-for: 263
# call: cross(41, 53, 8)
# call: cross(22, 4, 8)
# call: cross(40, 44, 8)
def cross(left, right, turns):
    for turn in range(turns):
        left, right = right, (left + turn) % 97
    return left, right
