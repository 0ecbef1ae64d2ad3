# family: plain
# title: stock after every movement, in plain Python
# time: O(n)
# space: O(n)
# english: Follows the stock of each product with a cumulative sum by group and notes movements below zero.
# chinese: 用分组累计和追踪各产品库存，并记录低于零的变动。
# control-for: 308
# call: follow([("nut", 5), ("nail", 2), ("nut", -6), ("nail", -1), ("nut", 4)])
# call: follow([("a", -1), ("a", -1), ("b", 3)])
# call: follow([("pen", 9), ("ink", 1), ("pen", -9), ("ink", -2)])
def follow(movements):
    short = []
    level = {}
    for index, (product, change) in enumerate(movements):
        level[product] = level.get(product, 0) + change
        if level[product] < 0:
            short.append((index, product, level[product]))
    return short, dict(sorted(level.items()))
