# family: control
# title: toggled bits
# time: O(n)
# space: O(1)
# english: Flips the bits of five times the turn in a byte.
# chinese: 在一个字节内翻转五倍轮次的比特。
# control-for: 266
# call: toggle(45, 5)
# call: toggle(57, 5)
# call: toggle(59, 3)
def toggle(mask, turns):
    for turn in range(turns):
        mask ^= turn * 5
        mask &= 255
    return mask
