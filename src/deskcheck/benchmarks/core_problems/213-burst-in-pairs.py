# family: dynamic programming
# title: burst in pairs
# time: O(n**3)
# space: O(n**2)
# english: Most points for removing all numbers one by one, each worth the sum of its neighbours at that time.
# chinese: 逐个移除所有数，每次得分为当时左右邻居之和，求最高总分。
# pattern: interval
# call: burst([3, 5])
# call: burst([1, 4, 2])
# call: burst([6, 1, 1, 3])
def burst(numbers):
    padded = [0] + numbers + [0]
    best = {}
    for size in range(2, len(padded)):
        for low in range(len(padded) - size):
            high = low + size
            edge = padded[low] + padded[high]
            inner = [best.get((low, k), 0) + best.get((k, high), 0) for k in range(low + 1, high)]
            best[low, high] = edge + max(inner)
    return best[0, len(padded) - 1]
