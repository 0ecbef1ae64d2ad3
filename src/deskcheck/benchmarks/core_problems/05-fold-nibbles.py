# family: bit manipulation
# title: folding a number by groups of four bits
# time: O(log n)
# space: O(1)
# english: Cuts a number into groups of four bits, from the lowest, shifts the groups left by 1 and 2 in turn, combines them by exclusive or and returns seven bits as text.
# chinese: 从最低位起把一个数按四位一组切开，各组轮流左移 1 位和 2 位，再异或合并，返回七位二进制文本。
# call: fold(43)
# call: fold(1234)
# call: fold(90210)
def fold(number):
    code, turn = 0, 1
    while number:
        nibble = number & 15
        code ^= nibble << turn
        number >>= 4
        turn = 3 - turn
    return f"{code:07b}"
