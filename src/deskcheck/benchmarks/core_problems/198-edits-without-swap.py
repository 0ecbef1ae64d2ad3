# family: dynamic programming
# title: edits without swap
# time: O(m*n)
# space: O(n)
# english: Edit distance in which changing a vowel into a vowel is free and any other change costs two.
# chinese: 元音换元音免费、其他替换花费 2 的编辑距离。
# pattern: two sequences
# call: distance("bat", "bit")
# call: distance("soul", "sale")
# call: distance("pear", "crate")
def distance(left, right):
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        fresh = [i]
        for j, b in enumerate(right, 1):
            both = a in "aeiou" and b in "aeiou"
            change = 0 if a == b or both else 2
            fresh.append(min(row[j] + 1, fresh[-1] + 1, row[j - 1] + change))
        row = fresh
    return row[-1]
