# family: dynamic programming
# title: loot with two houses between
# time: O(n)
# space: O(n)
# english: Largest loot from the first k houses, for every k, when two houses must be left between any two that are robbed.
# chinese: 任意两个被取的房子之间至少隔两个房子时，前 k 个房子的最大收获（对每个 k）。
# call: loot([5])
# call: loot([2, 9, 4, 3])
# call: loot([6, 1, 7, 7, 2, 8, 3, 9, 4, 4, 6, 5])
def loot(houses):
    best = [0]
    for i, worth in enumerate(houses):
        before = best[i - 2] if i >= 2 else 0
        best.append(max(best[i], before + worth))
    return best[1:]
