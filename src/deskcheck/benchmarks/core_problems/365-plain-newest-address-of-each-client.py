# family: plain
# title: newest address of each client, in plain Python
# time: O(n log n)
# space: O(n)
# english: Sorts address changes by day, drops all but the newest of each client, and counts moves to another town.
# chinese: 按日期排序地址变更，仅保留每位客户最新者，并统计迁居次数。
# control-for: 305
# call: newest([("a", 5, "Bern"), ("b", 2, "Graz"), ("a", 1, "Linz")])
# call: newest([("k", 3, "Ulm"), ("k", 9, "Ulm"), ("m", 1, "Rom"), ("k", 4, "Ulm")])
# call: newest([("z", 8, "Nis"), ("y", 7, "Nis"), ("y", 6, "Pau"), ("z", 1, "Pau"), ("z", 2, "Nis")])
def newest(changes):
    current = {}
    moved = {}
    for client, day, town in sorted(changes, key=lambda change: change[1]):
        if current.pop(client, town) != town:
            moved[client] = moved.get(client, 0) + 1
        current[client] = town
    return current, dict(sorted(moved.items()))
