# family: aliases
# title: stations that link to each other
# time: O(n + k)
# space: O(n)
# english: Links stations into a line that may run in a circle, travels some stops, counting visits and handing half a load on to the next station. Returns loads and visits.
# chinese: 把车站连成一条可能成环的线路，行驶若干站，统计到访次数，并把一半货物转给下一站。返回各站的货物和到访次数。
# call: travel({"a": 6, "b": 1}, "ab", 2)
# call: travel({"a": 8, "b": 4, "c": 3}, "cabc", 4)
# call: travel({"p": 9, "q": 5, "r": 2, "s": 7}, "prqp", 6)
def travel(loads, line, stops):
    stations = {name: [load, 0, None] for name, load in loads.items()}
    for here, there in zip(line, line[1:]):
        stations[here][2] = stations[there]
    station = stations[line[0]]
    for _ in range(stops):
        station[1] += 1
        onward = station[2] or station
        half = station[0] // 2
        station[0] -= half
        onward[0] += half
        station = onward
    return [tuple(station[:2]) for station in stations.values()]
