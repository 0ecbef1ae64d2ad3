# family: bit manipulation
# title: how long a shift register runs before it repeats
# time: O(2^b)
# space: O(2^b)
# english: Shifts a register right by one bit again and again, mixing in a mask whenever a 1 falls out, until a state comes back. Returns how many states were seen, the place of the repeated one and the largest.
# chinese: 反复把寄存器右移一位，每当移出的是 1 就与掩码异或，直到某个状态重复出现。返回出现过的状态数、重复状态的位置和最大的状态。
# call: cycle(3, 6)
# call: cycle(9, 12)
# call: cycle(22, 11)
def cycle(start, mask):
    seen = []
    state = start
    while state not in seen:
        seen.append(state)
        out = state & 1
        state >>= 1
        if out:
            state ^= mask
    return len(seen), seen.index(state), max(seen)
