# family: long runs
# title: queens counted back
# time: O(n!)
# space: O(n)
# english: Number of ways to set queens on a board by trying columns, with the number of tries, when the corner is not allowed.
# chinese: 用回溯在棋盘上放皇后（角上不许放），返回方案数与尝试次数。
# call: queens(4)
# call: queens(5)
# call: queens(6)
def queens(size):
    tries = 0
    found = 0
    columns = []
    candidate = 1
    while True:
        row = len(columns)
        while candidate < size:
            tries += 1
            if all(c != candidate and abs(c - candidate) != row - r for r, c in enumerate(columns)):
                break
            candidate += 1
        if candidate < size:
            columns.append(candidate)
            candidate = 0
            if len(columns) == size:
                found += 1
                candidate = columns.pop() + 1
        elif columns:
            candidate = columns.pop() + 1
        else:
            return found, tries
