# family: simulation
# title: ants that meet on a stick
# time: O(n*t)
# space: O(n)
# english: Ants walk on a stick, two that meet in a place turn round, those that step off fall; gives when each one falls.
# chinese: 蚂蚁在棍上行走，相遇则掉头，走出则掉落；给出每只掉落的时刻。
# call: ants(2, [(1, 1)])
# call: ants(4, [(1, 1), (3, -1)])
# call: ants(6, [(0, 1), (2, 1), (5, -1)])
def ants(length, walkers):
    fallen, tick = [], 0
    while walkers and tick < 12:
        tick += 1
        moved = [(place + way, way) for place, way in walkers]
        places = [place for place, _ in moved]
        walkers = []
        for place, way in moved:
            if not 0 <= place < length:
                fallen.append(tick)
            elif places.count(place) > 1:
                walkers.append((place, -way))
            else:
                walkers.append((place, way))
    return fallen
