# family: bit manipulation
# title: digits behind the binary point
# time: O(k)
# space: O(k)
# english: Digits of a fraction in base two, by doubling, until it ends or a remainder comes back.
# chinese: 用倍乘法写出分数的二进制小数位，直到结束或余数重复。
# call: point(1, 2)
# call: point(3, 8)
# call: point(2, 7)
def point(top, bottom):
    digits, seen = "", []
    while top and top not in seen:
        seen.append(top)
        top *= 2
        if top >= bottom:
            digits += "1"
            top -= bottom
        else:
            digits += "0"
    return digits, seen.index(top) if top else -1
