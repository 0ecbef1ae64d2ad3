# family: matrices
# title: quarter turns of a table
# time: O(n*m)
# space: O(n*m)
# english: Turns a table by quarters to the right and adds 1 to its first entry after each turn.
# chinese: 将表格顺时针旋转若干次，每次旋转后首元素加 1。
# call: quarter([[5]], 2)
# call: quarter([[1, 2]], 1)
# call: quarter([[1, 2, 3], [4, 5, 6]], 3)
def quarter(rows, turns):
    for _ in range(turns):
        turned = []
        for column in range(len(rows[0])):
            turned.append([row[column] for row in reversed(rows)])
        turned[0][0] += 1
        rows = turned
    return rows
