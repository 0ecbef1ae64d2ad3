# family: math
# title: a fraction as a sum of unit fractions
# time: O(n)
# space: O(n)
# english: Takes the largest unit fraction out of a fraction again and again, at most four times; a zero below fails.
# chinese: 反复从分数中取出最大的单位分数，最多四次；分母为零则报错。
# call: egyptian(1, 3)
# call: egyptian(3, 4)
# call: egyptian(7, 0)
def egyptian(top, bottom):
    parts = []
    while top and len(parts) < 4:
        unit = -(-bottom // top)
        rest = bottom % top
        parts.append(unit)
        top, bottom = top * unit - bottom, bottom * unit
        if rest == 0 and bottom == 0:
            raise ZeroDivisionError(len(parts))
    return parts, bottom
