# call: queens(1, [(0, 0)])
# call: queens(1, [])
# call: queens(3, [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0)])
# call: queens(3, [(0, 1), (1, 1), (1, 2)])
# call: queens(3, [])
# call: queens(4, [(1, 3), (2, 3), (3, 0), (3, 1)])
# call: queens(5, [(1, 0), (1, 1), (1, 2), (2, 1), (2, 4)])
# call: queens(5, [(0, 0), (1, 1), (2, 1), (4, 2)])
# call: queens(6, [(0, 0), (0, 4), (1, 5), (4, 4)])
# call: queens(6, [(3, 2), (3, 3)])
def queens(n, blocked):
    def place(row):
        nonlocal count
        if row == n:
            count += 1
            return
        for column in range(n):
            if (row, column) in blocked or column in columns:
                continue
            if row + column in rising or row - column in falling:
                continue
            columns.add(column)
            rising.add(row + column)
            falling.add(row - column)
            place(row + 1)
            columns.remove(column)
            rising.remove(row + column)
            falling.remove(row - column)

    count = 0
    columns, rising, falling = set(), set(), set()
    place(0)
    return count
