# family: sqlite3
# title: prices watched by a trigger
# time: O(n)
# space: O(n)
# english: Changes prices under a trigger that writes an audit row, and under one that refuses cuts by more than half.
# chinese: 修改价格时触发器写入审计行，并拒绝降价超过一半的修改。
# call: reprice({"tea": 10, "oil": 8}, [("tea", 6), ("oil", 3), ("tea", 9)])
# call: reprice({"a": 5}, [("a", 5), ("b", 1), ("a", 2), ("a", 3)])
# call: reprice({"x": 4, "y": 1}, [("y", 0), ("x", 2), ("x", 1), ("x", 0)])
import sqlite3

SCHEMA = """
create table price (goods text primary key, amount integer);
create table audit (number integer primary key, goods text, change integer);
create trigger watched after update on price when old.amount <> new.amount begin
    insert into audit (goods, change) values (new.goods, new.amount - old.amount);
end;
create trigger refused before update on price when new.amount * 2 < old.amount begin
    select raise(abort, 'too cheap');
end;
"""


def reprice(prices, changes):
    base = sqlite3.connect(":memory:")
    base.executescript(SCHEMA)
    for row in prices.items():
        base.execute("insert into price values (?, ?)", row)
    problems = []
    for goods, amount in changes:
        try:
            cursor = base.execute("update price set amount = ? where goods = ?", (amount, goods))
        except sqlite3.IntegrityError as error:
            problems.append((goods, str(error)))
            continue
        if cursor.rowcount == 0:
            problems.append((goods, "unknown"))
    audit = base.execute("select goods, change from audit order by number").fetchall()
    base.close()
    return audit, problems
