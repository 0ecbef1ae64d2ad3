# family: sqlite3
# title: rooms that nobody booked
# time: O(n * m)
# space: O(n)
# english: Left-joins rooms with bookings that overlap a stay and lists free rooms, with the nights that others take.
# chinese: 将房间与和入住期重叠的预订左连接，列出空房及他房被占的夜数。
# call: free_rooms({"101": 2, "102": 1}, [("101", 3, 6), ("102", 9, 12)], 5, 8)
# call: free_rooms({"a": 1, "b": 1, "c": 4}, [("a", 1, 3), ("a", 4, 6), ("b", 2, 9)], 2, 5)
# call: free_rooms({"x": 2, "y": 3}, [("x", 1, 4), ("y", 7, 9)], 4, 7)
import sqlite3

QUERY = """
select r.name, r.beds, sum(min(b.until, :until) - max(b.start, :start))
from room r left join booking b on b.room = r.name and b.start < :until and b.until > :start
group by r.name order by r.name
"""


def free_rooms(rooms, bookings, start, until):
    base = sqlite3.connect(":memory:")
    base.execute("create table room (name text, beds integer)")
    base.execute("create table booking (room text, start integer, until integer)")
    base.executemany("insert into room values (?, ?)", rooms.items())
    base.executemany("insert into booking values (?, ?, ?)", bookings)
    free = {}
    taken = {}
    for name, beds, nights in base.execute(QUERY, {"start": start, "until": until}):
        if nights is None:
            free[name] = beds
        else:
            taken[name] = nights
    base.close()
    return free, taken
