# family: bit manipulation
# title: a checksum whose carry comes back
# time: O(n)
# space: O(1)
# english: Adds words of a width, carries that fall out on the left come back in on the right, and gives the inverse.
# chinese: 按给定位宽累加，溢出的进位从右侧加回，最后取反。
# call: checksum([9, 3], 4)
# call: checksum([14, 3, 15], 4)
# call: checksum([200, 100, 255, 31, 90], 8)
def checksum(words, width):
    limit = 1 << width
    total = 0
    for word in words:
        total += word
        if total >= limit:
            total = (total % limit) + 1
    return (limit - 1) ^ total, total
