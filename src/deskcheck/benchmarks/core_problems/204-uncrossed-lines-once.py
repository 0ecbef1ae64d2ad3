# family: dynamic programming
# title: uncrossed lines once
# time: O(m*n)
# space: O(n)
# english: Most uncrossed lines between equal numbers of two lists when a line between equal places counts nothing.
# chinese: 两个列表相等数之间互不相交的连线最多条数，位置相同的连线不计数。
# pattern: two sequences
# call: lines([1, 2, 3], [2, 1, 3])
# call: lines([4, 4, 1], [4, 1, 4])
# call: lines([5, 6, 5, 7], [6, 5, 7, 5])
def lines(top, bottom):
    row = [0] * (len(bottom) + 1)
    for i, a in enumerate(top):
        corner = 0
        for j, b in enumerate(bottom):
            above = row[j + 1]
            if a == b and i != j:
                row[j + 1] = corner + 1
            else:
                row[j + 1] = max(above, row[j])
            corner = above
    return row
