# family: numpy
# title: parcels to the nearest depot
# time: O(n * m)
# space: O(n * m)
# english: Assigns each parcel to the nearest depot by broadcast distances, adding weights, with a penalty for full depots.
# chinese: 以广播距离把包裹分给最近的仓库并累加重量，仓库满时加罚距离。
# call: assign([(0, 0), (9, 9)], [(1, 2, 4), (8, 8, 3), (3, 3, 5)], 6)
# call: assign([(5, 0), (0, 5), (5, 5)], [(4, 4, 2), (5, 1, 9), (6, 1, 1), (0, 0, 3)], 8)
# call: assign([(2, 2)], [(0, 0, 7), (9, 1, 7)], 10)
import numpy as np


def assign(depots, parcels, room):
    places = np.array(depots)
    loads = np.zeros(len(depots), dtype=int)
    route = []
    for x, y, weight in parcels:
        offsets = places - (x, y)
        distance = np.abs(offsets).sum(axis=1)
        is_full = loads + weight > room
        distance[is_full] += 10
        nearest = int(distance.argmin())
        if is_full[nearest]:
            route.append([int(far) for far in distance])
        loads[nearest] += weight
        route.append(nearest)
    return route, [int(load) for load in loads]
