# family: sqlite3
# title: gaps between heartbeats
# time: O(n log n)
# space: O(n)
# english: Compares each heartbeat of a host with the one before by lag and collects gaps longer than allowed.
# chinese: 用 lag 比较每台主机相邻的心跳，收集超过允许时长的间隔。
# call: outages([("web", 0), ("db", 3), ("web", 10), ("web", 45), ("db", 40)], 30)
# call: outages([("a", 5), ("a", 1), ("a", 9)], 3)
# call: outages([("m", 1), ("n", 2), ("m", 100), ("n", 30), ("m", 101)], 20)
import sqlite3

QUERY = """
select host, moment, moment - lag(moment) over (partition by host order by moment) as gap
from beat order by host, moment
"""


def outages(beats, allowed):
    base = sqlite3.connect(":memory:")
    base.row_factory = sqlite3.Row
    base.execute("create table beat (host text, moment integer)")
    for beat in beats:
        base.execute("insert into beat values (?, ?)", beat)
    gaps = []
    longest = {}
    for row in base.execute(QUERY):
        if row["gap"] is None:
            continue
        if row["gap"] > allowed:
            gaps.append((row["host"], row["moment"]))
        longest[row["host"]] = max(longest.get(row["host"], 0), row["gap"])
    base.close()
    return gaps, longest
