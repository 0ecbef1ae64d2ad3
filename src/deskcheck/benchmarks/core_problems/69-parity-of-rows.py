# family: bit manipulation
# title: parity bits of a small message
# time: O(n)
# space: O(1)
# english: Adds a parity bit to each number on the right and collects the parity of all columns.
# chinese: 在每个数右侧添加奇偶校验位，并计算所有列的奇偶校验。
# call: protect([5])
# call: protect([6, 9, 3])
# call: protect([12, 7, 1, 15, 8])
def protect(numbers):
    columns = 0
    sent = []
    for number in numbers:
        parity, rest = 0, number
        while rest:
            parity ^= rest & 1
            rest >>= 1
        word = number << 1 | parity
        columns ^= word
        sent.append(word)
    return sent, columns
