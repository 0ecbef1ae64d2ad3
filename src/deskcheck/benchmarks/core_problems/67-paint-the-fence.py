# family: dynamic programming
# title: painting a fence in three colours
# time: O(n)
# space: O(1)
# english: Smallest cost to paint boards red, green or blue, neighbours in different colours, with the cost of each last colour.
# chinese: 给木板涂红、绿、蓝三色且相邻不同色的最小代价，按最后一块的颜色分别给出。
# call: paint([(3, 1, 2)])
# call: paint([(5, 2, 9), (1, 8, 3), (4, 4, 1)])
# call: paint([(2, 7, 6), (9, 1, 3), (4, 4, 4), (8, 2, 5), (1, 6, 2), (3, 3, 9), (7, 1, 1), (2, 5, 8), (6, 4, 2)])
def paint(boards):
    red, green, blue = 0, 0, 0
    for r, g, b in boards:
        red, green, blue = (
            r + min(green, blue),
            g + min(red, blue),
            b + min(red, green),
        )
    return red, green, blue
