# family: dynamic programming
# title: common with gap fee
# time: O(m*n)
# space: O(n)
# english: Score of the best alignment of two words: 3 for a pair of equal letters, minus 1 for a letter left out of the first word only.
# chinese: 两个单词的最佳对齐得分：相同字母一对得 3 分，只有第一个词中漏掉的字母扣 1 分。
# pattern: two sequences
# call: align("cat", "at")
# call: align("stone", "tones")
# call: align("barn", "crab")
def align(left, right):
    row = [0] * (len(right) + 1)
    for a in left:
        fresh = [row[0] - 1]
        for j, b in enumerate(right):
            match = row[j] + 3 if a == b else -99
            fresh.append(max(match, fresh[j], row[j + 1] - 1))
        row = fresh
    return row[-1]
