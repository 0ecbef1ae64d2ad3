# family: control
# title: doubling and cut
# time: O(n)
# space: O(1)
# english: Doubles a number, keeps two digits and adds what was cut.
# chinese: 加倍后保留两位并累计截去部分。
# control-for: 238
# call: cut(31, 6)
# call: cut(8, 8)
# call: cut(31, 4)
def cut(value, turns):
    cuts = 0
    while turns:
        value *= 2
        cuts += value // 100
        value %= 100
        turns -= 1
    return value, cuts
