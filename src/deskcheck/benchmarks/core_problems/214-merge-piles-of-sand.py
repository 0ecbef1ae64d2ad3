# family: dynamic programming
# title: merge piles of sand
# time: O(n**3)
# space: O(n**2)
# english: Cheapest way to merge neighbouring piles into one, when merging piles of equal parity costs half, rounded up.
# chinese: 合并相邻沙堆的最低花费，奇偶性相同的两堆合并只花一半（向上取整）。
# pattern: interval
# call: merge([2, 4])
# call: merge([1, 2, 3])
# call: merge([5, 1, 4, 2])
def merge(piles):
    total = [0]
    for pile in piles:
        total.append(total[-1] + pile)
    cost = {(i, i + 1): 0 for i in range(len(piles))}
    for size in range(2, len(piles) + 1):
        for low in range(len(piles) - size + 1):
            high = low + size
            options = []
            for cut in range(low + 1, high):
                left, right = total[cut] - total[low], total[high] - total[cut]
                fee = left + right if (left + right) % 2 else (left + right + 1) // 2
                options.append(cost[low, cut] + cost[cut, high] + fee)
            cost[low, high] = min(options)
    return cost[0, len(piles)]
