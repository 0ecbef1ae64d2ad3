# family: control
# title: four lines of arithmetic
# time: O(1)
# space: O(1)
# english: Changes three numbers by sums and products, one after the other.
# chinese: 用加法和乘法依次改变三个数。
# control-for: 09
# call: lines(7, 2, 5)
# call: lines(12, 9, -4)
# call: lines(-3, 16, 8)
def lines(a, b, c):
    a = a * 4 - b
    b = b + 10 * c
    c = a - b
    d = a + c
    return d, c, b
