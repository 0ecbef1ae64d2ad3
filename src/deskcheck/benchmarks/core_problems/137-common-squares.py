# family: matrices
# title: largest square of one sign
# time: O(n*m)
# space: O(m)
# english: Side of the largest square of equal signs in a picture, row by row the best so far.
# chinese: 图中由相同符号组成的最大正方形边长，逐行给出目前最优。
# call: square(["a"])
# call: square(["ab", "aa"])
# call: square(["aab", "aab", "bbb"])
def square(rows):
    sides, best, story = {}, 0, []
    for r, row in enumerate(rows):
        for c, sign in enumerate(row):
            side = 1
            if r and c and sign == rows[r - 1][c] == row[c - 1] == rows[r - 1][c - 1]:
                side += min(sides[r - 1, c], sides[r, c - 1], sides[r - 1, c - 1])
            sides[r, c] = side
            best = max(best, side)
        story.append(best)
    return story
