# family: dynamic programming
# title: strange printer twice
# time: O(n**3)
# space: O(n**2)
# english: Fewest strokes to print a word when a stroke prints one letter over a run, and a run of one costs two.
# chinese: 打印机每次在一段上印同一个字母，只有一格的段花费 2，求印出单词的最少花费。
# pattern: interval
# call: strokes("aa")
# call: strokes("aba")
# call: strokes("abca")
def strokes(word):
    cost = {}
    for low in range(len(word) - 1, -1, -1):
        cost[low, low] = 2
        for high in range(low + 1, len(word)):
            best = 2 + cost[low + 1, high]
            for cut in range(low + 1, high + 1):
                if word[cut] == word[low]:
                    inner = cost[low + 1, cut - 1] if cut > low + 1 else 0
                    rest = cost[cut + 1, high] if cut < high else 0
                    best = min(best, 1 + inner + rest)
            cost[low, high] = best
    return cost[0, len(word) - 1]
