# family: system
# title: transfer or undo
# time: O(n)
# space: O(n)
# english: Moves money between accounts of a database; a transfer that leaves less than nothing is undone as a whole.
# chinese: 在数据库账户间转账，余额不足的转账整体撤销。
# call: transfer({"a": 5, "b": 0}, [("a", "b", 3), ("a", "b", 3)])
# call: transfer({"x": 1}, [("x", "x", 1), ("x", "y", 1)])
# call: transfer({"p": 2, "q": 2}, [("p", "q", 2), ("q", "p", 5), ("q", "p", 4)])
import sqlite3


def transfer(accounts, moves):
    base = sqlite3.connect(":memory:")
    base.execute("create table account (name text primary key, money integer check (money >= 0))")
    base.executemany("insert into account values (?, ?)", accounts.items())
    base.commit()
    undone = 0
    for source, target, money in moves:
        try:
            with base:
                base.execute("update account set money = money + ? where name = ?", (money, target))
                base.execute("update account set money = money - ? where name = ?", (money, source))
        except sqlite3.IntegrityError:
            undone += 1
    left = dict(base.execute("select name, money from account order by name"))
    base.close()
    return left, undone
