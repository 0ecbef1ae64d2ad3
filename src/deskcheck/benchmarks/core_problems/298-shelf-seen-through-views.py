# family: numpy
# title: shelf seen through views
# time: O(k)
# space: O(n)
# english: Applies orders to a shelf through views of rows and columns that share its memory, and to one copy that does not.
# chinese: 通过共享内存的行列视图修改货架，另有一个不共享的副本。
# call: restock([[1, 2, 3], [4, 5, 6]], [("row", 0, 10), ("column", 1, 5), ("copy", 0, 99)])
# call: restock([[0, 7], [8, 0], [1, 1]], [("column", 0, -1), ("column", 0, -1), ("row", 2, 4)])
# call: restock([[5]], [("copy", 0, 3), ("row", 0, 3), ("column", 0, 2), ("copy", 0, 1)])
import numpy as np


def restock(shelf, orders):
    stock = np.array(shelf)
    turned = stock.T
    spare = stock[0].copy()
    history = []
    for kind, place, amount in orders:
        if kind == "row":
            line = stock[place]
        elif kind == "column":
            line = turned[place]
        else:
            line = spare
        line += amount
        np.maximum(line, 0, out=line)
        history.append([int(left) for left in line])
    return stock.tolist(), history
