# family: plain
# title: rooms that nobody booked, in plain Python
# time: O(n * m)
# space: O(n)
# english: Left-joins rooms with bookings that overlap a stay and lists free rooms, with the nights that others take.
# chinese: 将房间与和入住期重叠的预订左连接，列出空房及他房被占的夜数。
# control-for: 331
# call: free_rooms({"101": 2, "102": 1}, [("101", 3, 6), ("102", 9, 12)], 5, 8)
# call: free_rooms({"a": 1, "b": 1, "c": 4}, [("a", 1, 3), ("a", 4, 6), ("b", 2, 9)], 2, 5)
# call: free_rooms({"x": 2, "y": 3}, [("x", 1, 4), ("y", 7, 9)], 4, 7)
def free_rooms(rooms, bookings, start, until):
    taken = {}
    free = dict(sorted(rooms.items()))
    for name, begin, end in bookings:
        nights = min(end, until) - max(begin, start)
        if nights <= 0:
            continue
        free.pop(name, None)
        taken[name] = taken.get(name, 0) + nights
    return free, dict(sorted(taken.items()))
