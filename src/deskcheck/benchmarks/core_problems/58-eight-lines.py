# family: control
# title: eight lines of arithmetic
# time: O(1)
# space: O(1)
# english: Eight lines that add, subtract, multiply and take remainders of three numbers.
# chinese: 八行语句对三个数做加、减、乘和取余。
# control-for: 38
# call: eight(2, 5, 11)
# call: eight(14, 3, 6)
# call: eight(-7, 20, 4)
def eight(a, b, c):
    d = a * b
    e = d - c
    a = e % 9
    b = a + c
    c = b * 3 - d
    d = c + a
    e = d - b
    f = e + c
    return f, d, b
