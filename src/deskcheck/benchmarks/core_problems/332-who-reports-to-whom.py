# family: sqlite3
# title: who reports to whom
# time: O(n)
# space: O(n)
# english: Walks a table of managers with a recursive query and lists everyone below a person with depth and wages.
# chinese: 用递归查询遍历上级表，列出某人之下所有人的层级与工资。
# call: team({"ann": ("", 9), "bo": ("ann", 5), "cy": ("ann", 4), "di": ("bo", 3)}, "ann")
# call: team({"x": ("", 7), "y": ("x", 6), "z": ("y", 5), "w": ("z", 1)}, "y")
# call: team({"p": ("", 1), "q": ("p", 2)}, "q")
import sqlite3

QUERY = """
with recursive below(name, depth, wage) as (
    select name, 0, wage from person where name = ?
    union all
    select p.name, b.depth + 1, p.wage from person p join below b on p.boss = b.name
)
select name, depth, wage from below order by depth, name
"""


def team(people, chief):
    base = sqlite3.connect(":memory:")
    base.execute("create table person (name text primary key, boss text, wage integer)")
    for name, (boss, wage) in people.items():
        base.execute("insert into person values (?, ?, ?)", (name, boss, wage))
    depths = {}
    wages = 0
    for name, depth, wage in base.execute(QUERY, (chief,)):
        depths[name] = depth
        wages += wage
        deepest = depth
    base.close()
    return depths, wages, deepest
