# family: dynamic programming
# title: packing with a bonus for an exact fit
# time: O(n*w)
# space: O(w)
# english: Packs each box (size, worth) at most once into rooms of every size up to the given one; a box that alone fills a room exactly earns 1 extra. Returns the best worth for each room size.
# chinese: 把每个箱子（大小，价值）最多放一次，装入从 0 到给定大小的各个房间；若一个箱子单独恰好填满房间，则额外加 1 分。返回每种房间大小的最大价值。
# call: pack([(2, 3), (3, 4), (4, 4)], 5)
# call: pack([(1, 2), (4, 9), (3, 5), (2, 3)], 7)
# call: pack([(3, 2), (2, 5), (5, 8), (1, 1), (4, 9)], 9)
def pack(boxes, room):
    best = [0] * (room + 1)
    for size, worth in boxes:
        for left in range(room, size - 1, -1):
            bonus = 1 if left == size else 0
            best[left] = max(best[left], best[left - size] + worth + bonus)
    return best
