# family: dynamic programming
# title: shortest joint word
# time: O(m*n)
# space: O(m*n)
# english: Shortest word that holds both words as subsequences; of two as short the one that sorts first.
# chinese: 同时以两个单词为子序列的最短单词；一样短时取字典序较小者。
# pattern: two sequences
# call: join("ab", "bc")
# call: join("tea", "eat")
# call: join("abca", "cab")
def join(left, right):
    table = {}
    for i in range(len(left), -1, -1):
        for j in range(len(right), -1, -1):
            a, b = left[i:], right[j:]
            if not a or not b:
                table[i, j] = a + b
            elif a[0] == b[0]:
                table[i, j] = a[0] + table[i + 1, j + 1]
            else:
                two = a[0] + table[i + 1, j], b[0] + table[i, j + 1]
                table[i, j] = min(two, key=lambda word: (len(word), word))
    return table[0, 0]
