# family: sqlite3
# title: transfers that roll back
# time: O(n)
# space: O(k)
# english: Runs batches of transfers as transactions; a batch that breaks a rule of the table is rolled back as a whole.
# chinese: 以事务执行成批转账，违反表约束的整批回滚。
# call: run({"a": 10, "b": 0}, [[("a", "b", 4), ("b", "a", 5)], [("a", "b", 6)]])
# call: run({"k": 3, "m": 3}, [[("k", "m", 3)], [("m", "k", 6), ("k", "m", 7)], [("m", "z", 1)]])
# call: run({"u": 5}, [[("u", "u", 5)], [("u", "u", 6)]])
import sqlite3


def run(accounts, batches):
    base = sqlite3.connect(":memory:")
    base.execute("create table account (name text primary key, money integer check (money >= 0))")
    base.executemany("insert into account values (?, ?)", accounts.items())
    base.commit()
    failures = []
    for number, batch in enumerate(batches):
        try:
            with base:
                for source, target, money in batch:
                    base.execute("update account set money = money - ? where name = ?", (money, source))
                    changed = base.execute("update account set money = money + ? where name = ?", (money, target))
                    if changed.rowcount == 0:
                        raise LookupError(target)
        except (sqlite3.IntegrityError, LookupError) as error:
            failures.append((number, type(error).__name__))
    left = dict(base.execute("select name, money from account order by name"))
    base.close()
    return left, failures
