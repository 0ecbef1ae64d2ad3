# family: dynamic programming
# title: longest shared run with one slip
# time: O(n*m)
# space: O(n*m)
# english: Longest stretch that two words share letter by letter when one letter may differ, and where it ends in the first word.
# chinese: 两个单词逐字母相同（允许一个字母不同）的最长片段长度，以及它在第一个单词中的结束位置。
# call: slip("a", "b")
# call: slip("tan", "tin")
# call: slip("molehill", "poker")
def slip(first, second):
    runs = {}
    best, end = 0, 0
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            clean, used = runs.get((i - 1, j - 1), (0, 0))
            if a == b:
                runs[i, j] = clean + 1, used + 1
            else:
                runs[i, j] = 0, clean + 1
            if runs[i, j][1] > best:
                best, end = runs[i, j][1], i
    return best, end
