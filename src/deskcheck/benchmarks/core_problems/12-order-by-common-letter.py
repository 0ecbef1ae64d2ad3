# family: sorting
# title: words ordered by their most common letter
# time: O(n*k^2 + n*log(n))
# space: O(n*k)
# english: Orders words by how often their most common letter occurs, more first, then by the word read backwards, and keeps the first three.
# chinese: 按单词中最常见字母的出现次数从多到少排序，次数相同则按倒读的单词排序，只保留前三个。
# call: order(["otto", "abba"])
# call: order(["pan", "deer", "ox"])
# call: order(["lull", "tea", "noon", "apple", "pop"])
def order(words):
    def key(word):
        most = 0
        for letter in word:
            most = max(most, word.count(letter))
        return -most, word[::-1]

    return sorted(words, key=key)[:3]
