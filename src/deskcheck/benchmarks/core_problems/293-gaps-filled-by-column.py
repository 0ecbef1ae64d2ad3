# family: numpy
# title: gaps filled by column
# time: O(n * m)
# space: O(n * m)
# english: Replaces missing measurements, written as -1, by the rounded-down mean of their column and counts them.
# chinese: 以各列均值（向下取整）填补记为 -1 的缺失值，并统计个数。
# call: fill_gaps([[4, -1, 7], [6, 3, -1], [9, 5, 2]])
# call: fill_gaps([[-1, 10], [2, -1], [-1, 21]])
# call: fill_gaps([[1, 2], [-1, -1], [4, 5], [8, -1]])
import numpy as np


def fill_gaps(rows):
    table = np.array(rows)
    gaps = table < 0
    filled = 0
    for column in range(table.shape[1]):
        holes = gaps[:, column]
        known = table[~holes, column]
        mean = known.sum() // len(known)
        table[holes, column] = mean
        filled += int(holes.sum())
    return table.tolist(), filled
