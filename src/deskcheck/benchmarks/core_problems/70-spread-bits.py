# family: bit manipulation
# title: weaving the bits of two numbers
# time: O(log(n))
# space: O(1)
# english: Weaves the bits of two numbers, the first at the odd places, until both are used up.
# chinese: 将两个数的二进制位交织，第一个数占奇数位，直到两者用尽。
# call: spread(2, 1)
# call: spread(5, 12)
# call: spread(201, 77)
def spread(a, b):
    woven, place = 0, 0
    while a or b:
        woven |= (b & 1) << place
        woven |= (a & 1) << (place + 1)
        a >>= 1
        b >>= 1
        place += 2
    return woven
