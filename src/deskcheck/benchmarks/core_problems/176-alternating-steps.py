# family: control
# title: steps forward and back
# time: O(n)
# space: O(1)
# english: Goes forward on even rounds and back on odd ones.
# chinese: 偶数轮前进，奇数轮后退。
# control-for: 83
# call: walk(19, 10)
# call: walk(13, 13)
# call: walk(12, 21)
def walk(x, rounds):
    place = 0
    for i in range(rounds):
        if i % 2 == 0:
            place += x
        else:
            place -= i
    return place
