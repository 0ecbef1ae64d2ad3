# family: plain
# title: brightness of tiles, in plain Python
# time: O(n * m)
# space: O(n * m)
# english: Sums square tiles of an image by reshaping it, subtracts the darkest tile, and names the brightest.
# chinese: 通过重排形状求图像各方块之和，减去最暗者，并指出最亮者。
# control-for: 294
# call: tiles([[1, 2, 3, 4], [5, 6, 7, 8], [0, 0, 1, 1], [2, 2, 9, 0]], 2)
# call: tiles([[3, 1, 2, 2, 7, 0], [1, 1, 0, 5, 5, 5]], 2)
# call: tiles([[9, 4, 1], [2, 2, 8], [6, 0, 3]], 1)
def tiles(image, size):
    sums = []
    for top in range(0, len(image), size):
        strip = list(map(sum, zip(*image[top : top + size])))
        sums.append([sum(strip[left : left + size]) for left in range(0, len(strip), size)])
    darkest = min(map(min, sums))
    shifted = map(lambda line: list(map(darkest.__rsub__, line)), sums)
    out = list(shifted)
    best = max(map(max, out))
    row = list(map(max, out)).index(best)
    return out, (row, out[row].index(best))
