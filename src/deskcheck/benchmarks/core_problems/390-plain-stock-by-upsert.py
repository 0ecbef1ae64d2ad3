# family: plain
# title: stock by upsert, in plain Python
# time: O(n)
# space: O(k)
# english: Books deliveries and sales into a table with an upsert that never lets a stock fall below zero.
# chinese: 用 upsert 将进货与销售记入表中，库存不会低于零。
# control-for: 330
# call: book([("nut", 5), ("bolt", 2), ("nut", -7), ("nut", 3)])
# call: book([("pen", -4), ("pen", 4), ("ink", 1)])
# call: book([("a", 9), ("b", 9), ("a", -9), ("b", -10), ("c", 0)])
def book(movements):
    stock = {}
    lost = 0
    for name, change in movements:
        amount, bookings = stock.get(name, (0, 0))
        stock[name] = (max(amount + change, 0), bookings + 1)
        lost += max(-amount - change, 0)
    rows = [(name, amount, bookings) for name, (amount, bookings) in stock.items()]
    return {name: (amount, bookings) for name, amount, bookings in sorted(rows)}, lost
