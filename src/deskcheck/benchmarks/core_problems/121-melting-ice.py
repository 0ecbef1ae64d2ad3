# family: simulation
# title: blocks of ice in the sun
# time: O(n*t)
# space: O(n)
# english: Every tick the largest block melts by 2 and the others by 1, gone blocks leave; gives the ticks and how many blocks are left after each.
# chinese: 每拍最大的冰块融化 2，其余融化 1，融完的消失；给出拍数和每拍之后剩余的块数。
# call: melt([1])
# call: melt([3, 2])
# call: melt([6, 4, 7, 1])
def melt(blocks):
    ticks, left = 0, []
    while blocks:
        largest = blocks.index(max(blocks))
        blocks = [b - 1 for b in blocks]
        blocks[largest] -= 1
        blocks = [b for b in blocks if b > 0]
        left.append(len(blocks))
        ticks += 1
    return ticks, left
