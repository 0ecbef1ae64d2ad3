# family: numpy
# title: brightness of tiles
# time: O(n * m)
# space: O(n * m)
# english: Sums square tiles of an image by reshaping it, subtracts the darkest tile, and names the brightest.
# chinese: 通过重排形状求图像各方块之和，减去最暗者，并指出最亮者。
# call: tiles([[1, 2, 3, 4], [5, 6, 7, 8], [0, 0, 1, 1], [2, 2, 9, 0]], 2)
# call: tiles([[3, 1, 2, 2, 7, 0], [1, 1, 0, 5, 5, 5]], 2)
# call: tiles([[9, 4, 1], [2, 2, 8], [6, 0, 3]], 1)
import numpy as np


def tiles(image, size):
    pixels = np.array(image)
    height, width = pixels.shape
    blocks = pixels.reshape(height // size, size, width // size, size)
    sums = blocks.sum(axis=(1, 3))
    sums -= sums.min()
    out = []
    for line in sums:
        out.append([int(value) for value in line])
    place = np.unravel_index(sums.argmax(), sums.shape)
    return out, tuple(int(k) for k in place)
