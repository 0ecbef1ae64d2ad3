# family: control
# title: sum by parity
# time: O(n)
# space: O(1)
# english: Adds numbers of a small generator by their rest, with two signs.
# chinese: 按余数正负累加小型生成器的数。
# control-for: 229
# call: parity(13, 6)
# call: parity(51, 7)
# call: parity(37, 8)
def parity(first, turns):
    even = odd = 0
    for turn in range(turns):
        first = (first * 7 + 3) % 64
        if first % 4 < 2:
            even += first
        else:
            odd -= first
    return even, odd
