# family: dynamic programming
# title: seats apart
# time: O(r*4**c)
# space: O(2**c)
# english: Most pupils in rows of seats so that nobody sits beside or straight behind another.
# chinese: 在若干排座位中安排学生，任何人左右与正前方不得有人，求最多人数。
# pattern: subset
# call: seats(["..", ".."])
# call: seats([".#.", "..."])
# call: seats(["#..", ".#.", "..."])
def seats(rows):
    best = {0: 0}
    for row in rows:
        free = sum(1 << j for j, seat in enumerate(row) if seat == ".")
        after = {}
        for mask in range(1 << len(row)):
            if mask & ~free or mask & mask << 1:
                continue
            counts = [count for above, count in best.items() if not above & mask]
            after[mask] = max(counts) + bin(mask).count("1")
        best = after
    return max(best.values()), len(best)
