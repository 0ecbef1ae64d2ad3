# family: control
# title: a product and what an odd one changes
# time: O(1)
# space: O(1)
# english: Multiplies two numbers less 17 and thirds the result; an odd one changes both numbers first.
# chinese: 两数相乘减 17，再除以三向下取整；若为奇数则先改变两个数。
# control-for: 18
# call: odd(6, 8)
# call: odd(9, 5)
# call: odd(13, 7)
def odd(a, b):
    c = a * b - 17
    if c % 2:
        c += a
        b -= 5
    d = c // 3
    return a + d, b
