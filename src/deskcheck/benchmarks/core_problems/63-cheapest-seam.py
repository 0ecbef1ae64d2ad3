# family: dynamic programming
# title: cheapest way down a slope of numbers
# time: O(n*m)
# space: O(m)
# english: Costs of the cheapest ways down to each place of the last row; one may stay in the column or move one to the right, a move costs 1 more.
# chinese: 到达最后一行每个位置的最小代价：每步可留在原列或右移一列，右移额外花费 1。
# call: seam([[1, 5]])
# call: seam([[4, 2], [1, 9], [3, 3]])
# call: seam([[3, 1, 8], [2, 7, 1], [5, 5, 0], [1, 2, 9]])
def seam(rows):
    costs = rows[0][:1]
    for value in rows[0][1:]:
        costs.append(value + 50)
    for row in rows[1:]:
        new = []
        for column, value in enumerate(row):
            best = costs[column]
            if column > 0:
                best = min(best, costs[column - 1] + 1)
            new.append(best + value)
        costs = new
    return costs
