# family: sqlite3
# title: two best of each class
# time: O(n log n)
# space: O(n)
# english: Ranks scores within classes by row_number and keeps the best two, with their distance to the first.
# chinese: 用 row_number 在班级内排名并取前两名，附与第一名的差距。
# call: best_two([("A", "ida", 71), ("B", "jon", 64), ("A", "kim", 80), ("A", "lea", 75)])
# call: best_two([("z", "p", 1), ("y", "q", 1), ("z", "r", 1)])
# call: best_two([("c", "t", 9), ("c", "s", 9), ("c", "r", 9)])
import sqlite3

QUERY = """
with ranked as (
    select class, name, score,
           row_number() over (partition by class order by score desc, name) as place,
           max(score) over (partition by class) as top
    from result
)
select class, name, top - score from ranked where place <= 2 order by class, place
"""


def best_two(results):
    base = sqlite3.connect(":memory:")
    with base:
        base.execute("create table result (class text, name text, score integer)")
        for result in results:
            base.execute("insert into result values (?, ?, ?)", result)
    winners = {}
    total = 0
    for row in base.execute(QUERY):
        group, name, behind = row
        winners.setdefault(group, []).append((name, behind))
        total += behind
    base.close()
    return winners, total
