# family: dynamic programming
# title: how often inside
# time: O(m*n)
# space: O(n)
# english: How often a pattern stands in a text as a subsequence, when a letter used at an even place counts twice.
# chinese: 模式作为子序列在文本中出现的次数，位于偶数位置的字母使用时按两倍计。
# pattern: two sequences
# call: inside("aab", "ab")
# call: inside("banana", "ana")
# call: inside("xyxyx", "xx")
def inside(text, pattern):
    counts = [1] + [0] * len(pattern)
    for place, letter in enumerate(text):
        weight = 2 if place % 2 == 0 else 1
        for k in range(len(pattern), 0, -1):
            if pattern[k - 1] == letter:
                counts[k] += weight * counts[k - 1]
    return counts[-1]
