# family: sqlite3
# title: clients who owe
# time: O(n log n)
# space: O(n)
# english: Joins invoices with payments in SQL and lists clients whose open sum exceeds a limit, largest first.
# chinese: 用 SQL 连接发票与付款，列出未付总额超过限额的客户，从大到小。
# call: open_sums([(1, "ann", 90), (2, "bo", 40), (3, "ann", 10)], [(1, 50), (3, 10), (1, 5)], 20)
# call: open_sums([(7, "cy", 5), (8, "di", 5), (9, "cy", 9)], [(9, 12)], 1)
# call: open_sums([(1, "x", 30), (2, "y", 30), (3, "z", 30)], [(2, 29), (4, 30)], 0)
import sqlite3


def open_sums(invoices, payments, limit):
    base = sqlite3.connect(":memory:")
    base.execute("create table invoice (number integer primary key, client text, total integer)")
    base.execute("create table payment (number integer, amount integer)")
    for invoice in invoices:
        base.execute("insert into invoice values (?, ?, ?)", invoice)
    for payment in payments:
        base.execute("insert into payment values (?, ?)", payment)
    rows = base.execute(
        "select client, sum(total - coalesce((select sum(amount) from payment p where p.number = i.number), 0)) as due"
        " from invoice i group by client having due > ? order by due desc, client",
        (limit,),
    )
    due = {}
    for client, amount in rows:
        due[client] = amount
    (lost,) = base.execute("select count(*) from payment where number not in (select number from invoice)").fetchone()
    base.close()
    return due, lost
