# family: control
# title: results built one on another
# time: O(1)
# space: O(1)
# english: Builds sums, products and remainders one on another; a large one changes three of them.
# chinese: 逐个由前面的结果计算和、积与余数；较大时会改变其中三个。
# control-for: 28
# call: build(3, 4)
# call: build(9, 6)
# call: build(7, 9)
def build(a, b):
    c = a + b
    d = a * b
    e = d - c
    f = e % 10
    g = f * a
    if g > 20:
        g -= c
        f += 7
        e += g
    h = e - f
    return h, g, f
