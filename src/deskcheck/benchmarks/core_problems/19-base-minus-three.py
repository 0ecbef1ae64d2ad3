# family: math
# title: letters of a number in base minus three
# time: O(log n)
# space: O(log n)
# english: Writes a number in base -3 with the letters a, b, c for the digits 0, 1, 2, and appends the largest value that was in between.
# chinese: 用字母 a、b、c 表示数字 0、1、2，把一个数写成 -3 进制，并附上中间出现过的最大值。
# call: letters(7)
# call: letters(-580)
# call: letters(20011)
def letters(number):
    out = ""
    top = 0
    while number:
        number, digit = divmod(number, -3)
        if digit < 0:
            number += 1
            digit += 3
        top = max(top, number)
        out = "abc"[digit] + out
    return f"{out}:{top}"
