# family: graphs
# title: roads that nobody can miss
# time: O(m*(n+m))
# space: O(n)
# english: Roads whose removal cuts some place off from the first one.
# chinese: 移除后会使某些地点与第一个地点断开的道路。
# call: bridges(2, [(0, 1)])
# call: bridges(3, [(0, 1), (1, 2)])
# call: bridges(4, [(0, 1), (1, 2), (2, 0), (2, 3)])
def bridges(n, roads):
    found = []
    for road in roads:
        reached = [0]
        for place in reached:
            for a, b in roads:
                if (a, b) == road or place not in (a, b):
                    continue
                other = a + b - place
                if other not in reached:
                    reached.append(other)
        if len(reached) < n:
            found.append(road)
    return found
