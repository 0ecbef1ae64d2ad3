# family: bit manipulation
# title: steps in a reflected code
# time: O(n)
# space: O(n)
# english: Reflected binary codes of numbers from a start, as texts, and which bit changes from each to the next.
# chinese: 从起点开始各数的格雷码（文本形式），以及相邻两码改变的位。
# call: gray(2, 2)
# call: gray(5, 4)
# call: gray(12, 11)
def gray(start, count):
    codes, changes = [], []
    for number in range(start, start + count):
        code = number ^ (number >> 1)
        if codes:
            changed = code ^ int(codes[-1], 2)
            changes.append(changed.bit_length() - 1)
        codes.append(bin(code)[2:])
    return codes[-1], changes
