# family: dynamic programming
# title: three of each note
# time: O(n*t)
# space: O(t)
# english: Fewest notes for a sum with at most three of each kind; minus one where none will do.
# chinese: 每种面额最多用三张，凑成总额的最少张数；无法凑成时为 -1。
# pattern: take or skip
# call: fewest([2, 5], 11)
# call: fewest([3, 4], 2)
# call: fewest([1, 6, 10], 29)
def fewest(notes, total):
    best = {0: 0}
    for note in notes:
        more = dict(best)
        for reached, count in best.items():
            for k in (1, 2, 3):
                goal = reached + k * note
                if goal > total:
                    break
                if count + k < more.get(goal, 99):
                    more[goal] = count + k
        best = more
    return best.get(total, -1)
