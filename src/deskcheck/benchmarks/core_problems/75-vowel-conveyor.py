# family: strings
# title: vowels moved one place on
# time: O(n)
# space: O(n)
# english: Puts every vowel into the place of the next vowel, the last one into the place of the first.
# chinese: 把每个元音移到下一个元音的位置，最后一个移到第一个的位置。
# call: convey("sky")
# call: convey("piano")
# call: convey("unobtainable educational ideas")
def convey(word):
    places = [i for i, letter in enumerate(word) if letter in "aeiou"]
    letters = list(word)
    for k, place in enumerate(places):
        letters[place] = word[places[k - 1]]
    return "".join(letters)
