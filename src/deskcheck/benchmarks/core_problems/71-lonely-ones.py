# family: bit manipulation
# title: ones without a neighbour
# time: O(log(n))
# space: O(1)
# english: Keeps the one-bits that have no one beside them, and counts those that were dropped.
# chinese: 只保留两侧都不是 1 的位，并统计被去掉的 1 的个数。
# call: lonely(0b101)
# call: lonely(0b1101001)
# call: lonely(0b110110010101)
def lonely(number):
    crowd = number & (number << 1 | number >> 1)
    kept = number & ~crowd
    dropped = 0
    while crowd:
        crowd &= crowd - 1
        dropped += 1
    return bin(kept), dropped
