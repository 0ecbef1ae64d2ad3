# family: control
# title: growth with a ceiling
# time: O(n)
# space: O(1)
# english: Doubles a number, and takes off a part above a ceiling.
# chinese: 数翻倍，超过上限则减去一部分。
# control-for: 81
# call: grow(22, 4)
# call: grow(19, 8)
# call: grow(5, 18)
def grow(x, rounds):
    cut = 0
    for i in range(rounds):
        x = x * 2 + 1
        if x > 80:
            x -= 75
            cut += 1
    return x, cut
