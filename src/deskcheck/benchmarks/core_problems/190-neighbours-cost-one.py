# family: dynamic programming
# title: neighbours cost one
# time: O(n*w)
# space: O(w)
# english: Best worth of a bag where taking two items that stand side by side costs one of worth.
# chinese: 相邻两件物品同时取走时价值减一，求背包的最大价值。
# pattern: take or skip
# call: bag([(2, 3), (1, 2)], 3)
# call: bag([(3, 5), (2, 3), (4, 6)], 5)
# call: bag([(1, 1), (2, 4), (2, 4), (3, 5)], 6)
def bag(items, room):
    skipped = [0] * (room + 1)
    taken = [-99] * (room + 1)
    for size, worth in items:
        now = [-99] * (room + 1)
        for space in range(size, room + 1):
            left = space - size
            now[space] = worth + max(skipped[left], taken[left] - 1)
        skipped = [max(pair) for pair in zip(skipped, taken)]
        taken = now
    return max(skipped[room], taken[room])
