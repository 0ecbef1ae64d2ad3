# family: aliases
# title: guests that move between rooms
# time: O(n)
# space: O(n)
# english: Rooms are shared lists; rotating the list of rooms moves names, not guests.
# chinese: 房间是共享列表；轮换房间列表只改变名字，不移动客人。
# call: rooms(["a"], 1)
# call: rooms(["a", "b"], 2)
# call: rooms(["a", "b", "c"], 5)
def rooms(guests, turns):
    hotel = [[guest] for guest in guests]
    first = hotel[0]
    for turn in range(turns):
        hotel = hotel[1:] + hotel[:1]
        hotel[0].append(turn)
    first.insert(0, "*")
    return hotel
