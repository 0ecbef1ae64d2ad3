# family: system
# title: orders in a database
# time: O(n)
# space: O(n)
# english: Puts orders into a database in memory and asks for the sums of those who spent more than a limit.
# chinese: 把订单写入内存数据库，查询消费超过限额者的总额。
# call: spent([("ann", 5), ("bob", 2), ("ann", 1)], 2)
# call: spent([("x", 9), ("y", 9), ("z", 1)], 0)
# call: spent([("q", 3)], 3)
import sqlite3


def spent(orders, limit):
    base = sqlite3.connect(":memory:")
    base.execute("create table orders (name text, price integer)")
    for name, price in orders:
        base.execute("insert into orders values (?, ?)", (name, price))
    rows = base.execute(
        "select name, sum(price), count(*) from orders group by name having sum(price) > ? order by 2 desc, 1",
        (limit,),
    ).fetchall()
    base.close()
    return rows
