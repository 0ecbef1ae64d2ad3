# family: dynamic programming
# title: cutting a rope for the largest product plus length
# time: O(n^2)
# space: O(n)
# english: For each length up to n, the best score of a rope: uncut its length, cut in two the product of the scores of the parts minus 1.
# chinese: 对每个不超过 n 的长度，绳子的最高得分：不剪得其长度；剪成两段得两段得分之积减 1。
# call: ropes(2)
# call: ropes(5)
# call: ropes(8)
def ropes(n):
    score = [0, 1]
    for length in range(2, n + 1):
        best = length
        for cut in range(1, length // 2 + 1):
            best = max(best, score[cut] * score[length - cut] - 1)
        score.append(best)
    return score
