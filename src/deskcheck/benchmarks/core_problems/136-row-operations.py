# family: matrices
# title: clearing below the first entry
# time: O(n*m)
# space: O(n*m)
# english: Clears a column below a pivot by subtracting multiples of the pivot's row in whole numbers; a zero pivot fails.
# chinese: 用整数倍消去主元下方的列；主元为零报错。
# call: clear([[2, 1], [4, 5]], 0)
# call: clear([[1, 2, 3], [3, 1, 0], [2, 2, 2]], 0)
# call: clear([[4, 1], [0, 0], [8, 8]], 1)
def clear(rows, k):
    pivot = rows[k]
    for row in rows[k + 1 :]:
        factor, rest = divmod(row[k], pivot[k])
        for column in range(k, len(row)):
            row[column] -= factor * pivot[column]
        row[k] = rest
    return rows
