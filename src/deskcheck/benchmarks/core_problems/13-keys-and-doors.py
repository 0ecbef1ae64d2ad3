# family: graphs
# title: rooms reached with the keys found so far
# time: O(n + m)
# space: O(n + m)
# english: Walks rooms breadth first; each room holds a key, and a door opens only if its key was found before it is passed. Returns the rooms in order and the number of locked doors.
# chinese: 按广度优先走遍房间；每个房间有一把钥匙，只有之前已找到对应钥匙的门才能打开。返回到达房间的顺序和锁住的门的数目。
# call: explore({"a": ("k", [("m", "b"), ("k", "c")]), "c": ("m", [("k", "a")])}, "a")
# call: explore({"p": ("x", [("x", "q")]), "q": ("y", [("y", "r"), ("x", "p"), ("y", "s")]), "s": ("w", []), "r": ("z", [("z", "s")])}, "p")
# call: explore({1: (3, [(3, 2), (3, 3)]), 2: (4, [(5, 4), (4, 3)]), 3: (5, [(5, 1), (4, 4)]), 4: (0, [(9, 2)])}, 1)
def explore(rooms, start):
    order, waiting, keys = [], [start], []
    shut = 0
    while waiting:
        room = waiting.pop(0)
        if room in order:
            continue
        order.append(room)
        key, doors = rooms[room]
        keys.append(key)
        for lock, target in doors:
            if lock in keys:
                waiting.append(target)
            else:
                shut += 1
    return order, shut
