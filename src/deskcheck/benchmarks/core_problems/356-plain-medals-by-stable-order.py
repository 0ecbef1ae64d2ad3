# family: plain
# title: medals by stable order, in plain Python
# time: O(n log n)
# space: O(n)
# english: Ranks times of runners with a stable argsort, gives equal times the same rank, and counts runners per rank.
# chinese: 用稳定排序为选手排名，同时间同名次，并统计各名次人数。
# control-for: 296
# call: ranks([31, 28, 31, 25, 40])
# call: ranks([9, 9, 9, 4])
# call: ranks([50, 41, 41, 63, 50, 50, 38])
def ranks(times):
    order = sorted(range(len(times)), key=times.__getitem__)
    rank = [0] * len(times)
    last = None
    counts = {}
    for position, runner in enumerate(order, start=1):
        if last is None or times[runner] != times[last]:
            current = position
        rank[runner] = current
        last = runner
    counts = dict.fromkeys(sorted(rank), 0)
    counts.update(zip(counts, map(rank.count, counts)))
    return rank, counts
