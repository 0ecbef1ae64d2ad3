# family: numpy
# title: medals by stable order
# time: O(n log n)
# space: O(n)
# english: Ranks times of runners with a stable argsort, gives equal times the same rank, and counts runners per rank.
# chinese: 用稳定排序为选手排名，同时间同名次，并统计各名次人数。
# call: ranks([31, 28, 31, 25, 40])
# call: ranks([9, 9, 9, 4])
# call: ranks([50, 41, 41, 63, 50, 50, 38])
import numpy as np


def ranks(times):
    marks = np.array(times)
    order = np.argsort(marks, kind="stable")
    rank = np.empty(len(marks), dtype=int)
    last = None
    for position, runner in enumerate(order, start=1):
        if last is None or marks[runner] != marks[last]:
            current = position
        rank[runner] = current
        last = runner
    names, counts = np.unique(rank, return_counts=True)
    return rank.tolist(), dict(zip(names.tolist(), counts.tolist()))
