# family: plain
# title: gaps filled by column, in plain Python
# time: O(n * m)
# space: O(n * m)
# english: Replaces missing measurements, written as -1, by the rounded-down mean of their column and counts them.
# chinese: 以各列均值（向下取整）填补记为 -1 的缺失值，并统计个数。
# control-for: 293
# call: fill_gaps([[4, -1, 7], [6, 3, -1], [9, 5, 2]])
# call: fill_gaps([[-1, 10], [2, -1], [-1, 21]])
# call: fill_gaps([[1, 2], [-1, -1], [4, 5], [8, -1]])
def fill_gaps(rows):
    table = list(map(list, zip(*rows)))
    filled = 0
    for column in table:
        holes = column.count(-1)
        mean = (sum(column) + holes) // (len(column) - holes)
        while -1 in column:
            column[column.index(-1)] = mean
        filled += holes
    return list(map(list, zip(*table))), filled
