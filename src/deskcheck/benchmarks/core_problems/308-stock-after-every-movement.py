# family: pandas
# title: stock after every movement
# time: O(n)
# space: O(n)
# english: Follows the stock of each product with a cumulative sum by group and notes movements below zero.
# chinese: 用分组累计和追踪各产品库存，并记录低于零的变动。
# call: follow([("nut", 5), ("nail", 2), ("nut", -6), ("nail", -1), ("nut", 4)])
# call: follow([("a", -1), ("a", -1), ("b", 3)])
# call: follow([("pen", 9), ("ink", 1), ("pen", -9), ("ink", -2)])
import pandas as pd


def follow(movements):
    frame = pd.DataFrame(movements, columns=["product", "change"])
    frame["stock"] = frame.groupby("product")["change"].cumsum()
    short = []
    for row in frame[frame["stock"] < 0].itertuples():
        short.append((row.Index, row.product, int(row.stock)))
    left = frame.groupby("product")["stock"].last()
    level = {}
    for product, stock in left.items():
        amount = int(stock)
        level[product] = amount
    return short, level
