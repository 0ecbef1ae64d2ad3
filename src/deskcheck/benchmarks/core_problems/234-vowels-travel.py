# family: texts
# title: vowels travel
# time: O(n)
# space: O(n)
# english: Moves the vowels of a word one vowel place to the right, round the end, and doubles the one that came round.
# chinese: 把单词的元音依次右移一个元音位（循环），绕回者写两遍。
# call: travel("banjo")
# call: travel("education")
# call: travel("rhythm")
def travel(word):
    places = [i for i, letter in enumerate(word) if letter in "aeiou"]
    if not places:
        return word[::-1]
    letters = list(word)
    carried = word[places[-1]] * 2
    for i in places:
        carried, letters[i] = letters[i], carried
    return "".join(letters)
