# family: control
# title: tenths and a rest
# time: O(n)
# space: O(1)
# english: Takes tenths off a number and keeps them in a second one.
# chinese: 从数中取出十分之一并存入第二个数。
# control-for: 164
# call: tenths(12, 3)
# call: tenths(11, 6)
# call: tenths(23, 19)
def tenths(x, rounds):
    kept = 0
    x = x * 40
    for i in range(rounds):
        part = x // 10
        x = x - part
        kept = kept + part - i
    return x, kept
