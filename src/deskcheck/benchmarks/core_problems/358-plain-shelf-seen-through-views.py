# family: plain
# title: shelf seen through views, in plain Python
# time: O(k)
# space: O(n)
# english: Applies orders to a shelf through views of rows and columns that share its memory, and to one copy that does not.
# chinese: 通过共享内存的行列视图修改货架，另有一个不共享的副本。
# control-for: 298
# call: restock([[1, 2, 3], [4, 5, 6]], [("row", 0, 10), ("column", 1, 5), ("copy", 0, 99)])
# call: restock([[0, 7], [8, 0], [1, 1]], [("column", 0, -1), ("column", 0, -1), ("row", 2, 4)])
# call: restock([[5]], [("copy", 0, 3), ("row", 0, 3), ("column", 0, 2), ("copy", 0, 1)])
def restock(shelf, orders):
    stock = list(map(list, shelf))
    spare = [list(stock[0])]
    history = []
    for kind, place, amount in orders:
        turned = list(map(list, zip(*stock)))
        lines = {"row": stock, "column": turned, "copy": spare}[kind]
        lines[place] = [max(left + amount, 0) for left in lines[place]]
        if kind == "column":
            stock = list(map(list, zip(*turned)))
        history.append(lines[place])
    return stock, history
