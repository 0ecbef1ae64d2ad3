# family: dynamic programming
# title: work or sleep
# time: O(n*e)
# space: O(e)
# english: Most pay over days when work costs one of energy, sleep gives two, and pay doubles at full energy.
# chinese: 工作耗一点精力，睡觉恢复两点，满精力时报酬加倍，求若干天的最大报酬。
# pattern: take or skip
# call: earn([3, 1, 4], 1)
# call: earn([2, 2, 9, 1], 2)
# call: earn([5, 1, 1, 6, 3], 2)
def earn(pays, full):
    best = {full: 0}
    for pay in pays:
        after = {}
        for energy, earned in best.items():
            rested = min(full, energy + 2)
            after[rested] = max(after.get(rested, 0), earned)
            if energy:
                gain = pay * 2 if energy == full else pay
                after[energy - 1] = max(after.get(energy - 1, 0), earned + gain)
        best = after
    return max(best.values())
