# family: strings
# title: swapped pairs joined from both ends
# time: O(n)
# space: O(n)
# english: Takes letters from both ends of a word in turn, two from the left, one from the right, until none is left.
# chinese: 从单词两端轮流取字母，左端取两个，右端取一个，直到取完。
# call: ends("abc")
# call: ends("lantern")
# call: ends("wheelbarrowsandspades")
def ends(word):
    taken, left = "", True
    while word:
        if left:
            taken += word[:2]
            word = word[2:]
        else:
            taken += word[-1]
            word = word[:-1]
        left = not left
    return taken
