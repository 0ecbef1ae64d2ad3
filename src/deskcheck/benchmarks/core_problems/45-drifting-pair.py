# family: control
# title: a drifting pair of numbers
# time: O(n)
# space: O(1)
# english: Moves one number by a fixed rule and the round's number, below 50, and adds it to the other, below 90.
# chinese: 按固定规则和轮次更新一个数（小于 50），并把它加到另一个数上（小于 90）。
# control-for: 04
# call: drift(8, 14)
# call: drift(31, 39)
# call: drift(2, 40)
def drift(x, rounds):
    y = 1
    for i in range(rounds):
        x = (x * 3 + i) % 50
        y = (y + x) % 90
    return x, y
