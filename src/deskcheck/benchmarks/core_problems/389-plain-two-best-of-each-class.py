# family: plain
# title: two best of each class, in plain Python
# time: O(n log n)
# space: O(n)
# english: Ranks scores within classes by row_number and keeps the best two, with their distance to the first.
# chinese: 用 row_number 在班级内排名并取前两名，附与第一名的差距。
# control-for: 329
# call: best_two([("A", "ida", 71), ("B", "jon", 64), ("A", "kim", 80), ("A", "lea", 75)])
# call: best_two([("z", "p", 1), ("y", "q", 1), ("z", "r", 1)])
# call: best_two([("c", "t", 9), ("c", "s", 9), ("c", "r", 9)])
def best_two(results):
    ranked = sorted([(group, -score, name) for group, name, score in results])
    winners = {}
    total = 0
    top = None
    for group, below, name in ranked:
        if len(winners.get(group, [])) == 2:
            continue
        if group not in winners:
            top = -below
        winners.setdefault(group, []).append((name, top + below))
        total += top + below
    return winners, total
