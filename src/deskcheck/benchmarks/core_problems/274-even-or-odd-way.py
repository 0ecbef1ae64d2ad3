# family: control
# title: even or odd way
# time: O(n)
# space: O(1)
# english: Halves even numbers, triples odd ones and adds the turn; its last three digits.
# chinese: 偶数减半，奇数乘三加轮次，取后三位。
# control-for: 264
# call: way(57, 2)
# call: way(11, 2)
# call: way(5, 1)
def way(level, turns):
    for turn in range(turns):
        if level % 2:
            level = level * 3 + turn
        else:
            level //= 2
    return level % 1000
