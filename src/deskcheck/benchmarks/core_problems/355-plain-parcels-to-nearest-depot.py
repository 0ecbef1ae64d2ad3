# family: plain
# title: parcels to the nearest depot, in plain Python
# time: O(n * m)
# space: O(n * m)
# english: Assigns each parcel to the nearest depot by broadcast distances, adding weights, with a penalty for full depots.
# chinese: 以广播距离把包裹分给最近的仓库并累加重量，仓库满时加罚距离。
# control-for: 295
# call: assign([(0, 0), (9, 9)], [(1, 2, 4), (8, 8, 3), (3, 3, 5)], 6)
# call: assign([(5, 0), (0, 5), (5, 5)], [(4, 4, 2), (5, 1, 9), (6, 1, 1), (0, 0, 3)], 8)
# call: assign([(2, 2)], [(0, 0, 7), (9, 1, 7)], 10)
def assign(depots, parcels, room):
    loads = [0] * len(depots)
    route = []
    for x, y, weight in parcels:
        spare = room - weight
        full = list(map(spare.__lt__, loads))
        distance = [abs(x - a) + abs(y - b) + 10 * no for (a, b), no in zip(depots, full)]
        nearest = distance.index(min(distance))
        if full[nearest]:
            route.append(distance)
        loads[nearest] += weight
        route.append(nearest)
    return route, loads
