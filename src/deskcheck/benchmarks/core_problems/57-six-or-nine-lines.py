# family: control
# title: six lines, or nine
# time: O(1)
# space: O(1)
# english: Six lines of arithmetic on two numbers; three more where an intermediate result is negative.
# chinese: 对两个数做六行算术；中间结果为负时再多做三行。
# control-for: 33
# call: count(8, 3)
# call: count(2, 9)
# call: count(15, 4)
def count(a, b):
    c = 3 * a - 2 * b
    d = c + b * 5
    if c < 0:
        c = -c
        d += c * 2
        b -= 1
    e = d % 13
    f = e * b - c
    a += f
    return a, e, f
