# family: dynamic programming
# title: palindrome by cheap letters
# time: O(n**2)
# space: O(n**2)
# english: Cheapest way to make a word a palindrome by deleting letters, where a letter costs its place in the alphabet.
# chinese: 通过删除字母使单词成为回文的最低花费，字母花费为其在字母表中的序号。
# pattern: interval
# call: mirror("ab")
# call: mirror("cabbed")
# call: mirror("daeeda")
def mirror(word):
    price = [ord(letter) - 96 for letter in word]
    cost = {}
    for low in range(len(word) - 1, -1, -1):
        cost[low, low - 1] = cost[low, low] = 0
        for high in range(low + 1, len(word)):
            if word[low] == word[high]:
                cost[low, high] = cost.get((low + 1, high - 1), 0)
            else:
                first = price[low] + cost[low + 1, high]
                last = price[high] + cost[low, high - 1]
                cost[low, high] = min(first, last)
    return cost[0, len(word) - 1]
