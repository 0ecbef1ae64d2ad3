# family: dynamic programming
# title: cover with teams
# time: O(m*2**n)
# space: O(2**n)
# english: Fewest people that know all skills, and how many sets of people of that size do.
# chinese: 掌握全部技能的最少人数，以及达到该人数的组合数。
# pattern: subset
# call: cover(2, [1, 2, 3])
# call: cover(3, [3, 6, 5, 4])
# call: cover(4, [9, 6, 10, 5, 1])
def cover(skills, people):
    best = {0: (0, 1)}
    for known in people:
        for mask, (size, ways) in list(best.items()):
            key = mask | known
            if key == mask:
                continue
            old = best.get(key, (99, 0))
            if size + 1 < old[0]:
                best[key] = (size + 1, ways)
            elif size + 1 == old[0]:
                best[key] = (old[0], old[1] + ways)
    return best[(1 << skills) - 1]
