# family: strings
# title: initials with the lengths between
# time: O(n)
# space: O(n)
# english: Shortens words to first letter, number of letters between, last letter; shorter ones stay, equal results get a star.
# chinese: 将单词缩写为首字母、中间字母数、末字母；短词不变，结果重复则加星号。
# call: shorten(["to"])
# call: shorten(["house", "horse"])
# call: shorten(["garden", "a", "golden", "guten", "gotten"])
def shorten(words):
    found = []
    for word in words:
        short = word
        if len(word) > 3:
            short = word[0] + str(len(word) - 2) + word[-1]
        while short in found:
            short += "*"
        found.append(short)
    return found
