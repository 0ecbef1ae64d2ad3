# family: sqlite3
# title: stock by upsert
# time: O(n)
# space: O(k)
# english: Books deliveries and sales into a table with an upsert that never lets a stock fall below zero.
# chinese: 用 upsert 将进货与销售记入表中，库存不会低于零。
# call: book([("nut", 5), ("bolt", 2), ("nut", -7), ("nut", 3)])
# call: book([("pen", -4), ("pen", 4), ("ink", 1)])
# call: book([("a", 9), ("b", 9), ("a", -9), ("b", -10), ("c", 0)])
import sqlite3

UPSERT = """
insert into stock values (:name, max(:change, 0), 1)
on conflict (name) do update set amount = max(amount + :change, 0), bookings = bookings + 1
"""


def book(movements):
    base = sqlite3.connect(":memory:")
    base.execute("create table stock (name text primary key, amount integer, bookings integer)")
    lost = 0
    for name, change in movements:
        before = base.execute("select amount from stock where name = ?", (name,)).fetchone() or (0,)
        base.execute(UPSERT, {"name": name, "change": change})
        lost += max(-before[0] - change, 0)
    rows = base.execute("select name, amount, bookings from stock order by name").fetchall()
    base.close()
    return {name: (amount, bookings) for name, amount, bookings in rows}, lost
