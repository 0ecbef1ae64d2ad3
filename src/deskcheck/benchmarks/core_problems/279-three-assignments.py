# family: control
# title: three assignments
# time: O(n)
# space: O(1)
# english: Three assignments in a row.
# chinese: 连续三次赋值。
# control-for: 269
# call: plain(46, 39, 6)
# call: plain(33, 51, 6)
# call: plain(39, 6, 6)
def plain(a, b, turns):
    a += turns
    b = a * b
    a = b - a
    return a, b
