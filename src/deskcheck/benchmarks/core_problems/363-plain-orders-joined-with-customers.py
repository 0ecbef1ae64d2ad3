# family: plain
# title: orders joined with customers, in plain Python
# time: O(n + m)
# space: O(n + m)
# english: Joins orders with customers from the left, labels orders of unknown customers, and sums them by city.
# chinese: 左连接订单与客户，标注未知客户的订单，并按城市求和。
# control-for: 303
# call: by_city([(1, 50), (2, 20), (9, 5)], {1: "Rome", 2: "Oslo"})
# call: by_city([(4, 1), (4, 2), (5, 3)], {4: "Lima", 6: "Lima"})
# call: by_city([(7, 8), (8, 8)], {})
def by_city(orders, cities):
    sums = {}
    for customer, total in orders:
        city = cities.get(customer, "unknown")
        count, amount = sums.get(city, (0, 0))
        sums[city] = (count + 1, amount + total)
    return sums
