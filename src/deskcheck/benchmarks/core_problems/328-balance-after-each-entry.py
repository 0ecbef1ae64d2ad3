# family: sqlite3
# title: balance after each entry
# time: O(n log n)
# space: O(n)
# english: Orders bookings by day and number and computes running balances with a window, noting the lowest point.
# chinese: 按日期和编号排序记账，用窗口函数计算累计余额，并记录最低点。
# call: balances([(2, 50), (1, 100), (2, -120), (3, -40)])
# call: balances([(5, -5), (4, -5), (5, 20)])
# call: balances([(1, 7), (1, -9), (1, 7)])
import sqlite3


def balances(bookings):
    base = sqlite3.connect(":memory:")
    base.execute("create table booking (number integer primary key, day integer, amount integer)")
    for day, amount in bookings:
        base.execute("insert into booking (day, amount) values (?, ?)", (day, amount))
    cursor = base.execute(
        "select number, sum(amount) over (order by day, number) from booking order by day, number"
    )
    running = []
    lowest = None
    for number, balance in cursor:
        running.append(balance)
        if lowest is None or balance < lowest[1]:
            lowest = (number, balance)
    base.close()
    return running, lowest
