# family: control
# title: marks on a line
# time: O(n)
# space: O(1)
# english: Counts how often a walking number stands on a multiple of four.
# chinese: 统计移动的数落在 4 的倍数上的次数。
# control-for: 126
# call: marks(21, 8)
# call: marks(8, 17)
# call: marks(10, 29)
def marks(x, rounds):
    hits = 0
    for i in range(rounds):
        x = x + i
        if x % 4 == 0:
            hits += 1
    return x, hits
