# family: pandas
# title: orders joined with customers
# time: O(n + m)
# space: O(n + m)
# english: Joins orders with customers from the left, labels orders of unknown customers, and sums them by city.
# chinese: 左连接订单与客户，标注未知客户的订单，并按城市求和。
# call: by_city([(1, 50), (2, 20), (9, 5)], {1: "Rome", 2: "Oslo"})
# call: by_city([(4, 1), (4, 2), (5, 3)], {4: "Lima", 6: "Lima"})
# call: by_city([(7, 8), (8, 8)], {})
import pandas as pd


def by_city(orders, cities):
    left = pd.DataFrame(orders, columns=["customer", "total"])
    right = pd.DataFrame({"customer": list(cities), "city": list(cities.values())})
    right = right.astype({"customer": "int64", "city": "object"})
    joined = left.merge(right, on="customer", how="left")
    joined["city"] = joined["city"].fillna("unknown")
    sums = {}
    for city, part in joined.groupby("city", sort=False):
        amount = int(part["total"].sum())
        sums[city] = (len(part), amount)
    return sums
