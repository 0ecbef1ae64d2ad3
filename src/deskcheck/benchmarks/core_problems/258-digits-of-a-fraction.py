# family: long runs
# title: digits of a fraction
# time: O(d)
# space: O(d)
# english: Long division in a base: length of the part before the period, length of the period, and sum of its digits.
# chinese: 在某进制下做长除法：循环前长度、循环节长度与循环节数字和。
# call: period(1, 97, 10)
# call: period(5, 233, 10)
# call: period(3, 202, 7)
def period(top, bottom, base):
    seen, digits = {}, []
    rest = top % bottom
    while rest and rest not in seen:
        seen[rest] = len(digits)
        rest *= base
        digits.append(rest // bottom)
        rest %= bottom
    if not rest:
        return len(digits), 0, sum(digits)
    start = seen[rest]
    return start, len(digits) - start, sum(digits[start:])
