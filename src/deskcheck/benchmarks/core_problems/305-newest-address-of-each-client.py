# family: pandas
# title: newest address of each client
# time: O(n log n)
# space: O(n)
# english: Sorts address changes by day, drops all but the newest of each client, and counts moves to another town.
# chinese: 按日期排序地址变更，仅保留每位客户最新者，并统计迁居次数。
# call: newest([("a", 5, "Bern"), ("b", 2, "Graz"), ("a", 1, "Linz")])
# call: newest([("k", 3, "Ulm"), ("k", 9, "Ulm"), ("m", 1, "Rom"), ("k", 4, "Ulm")])
# call: newest([("z", 8, "Nis"), ("y", 7, "Nis"), ("y", 6, "Pau"), ("z", 1, "Pau"), ("z", 2, "Nis")])
import pandas as pd


def newest(changes):
    frame = pd.DataFrame(changes, columns=["client", "day", "town"])
    frame = frame.sort_values("day")
    last = frame.drop_duplicates("client", keep="last")
    current = {}
    for row in last.itertuples(index=False):
        town = row.town
        current[row.client] = town
    moved = {}
    for client, towns in frame.groupby("client")["town"]:
        moves = int((towns != towns.shift()).sum()) - 1
        if moves > 0:
            moved[client] = moves
    return current, moved
