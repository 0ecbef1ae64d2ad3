# family: strings
# title: words shifted by their length
# time: O(n)
# space: O(n)
# english: Shifts every letter of a word forward by the number of letters of that word, words of one letter stay.
# chinese: 将单词中每个字母向后移动该单词的字母数，单字母单词不变。
# call: shift("a")
# call: shift("an ox")
# call: shift("i see zebras")
def shift(text):
    words = []
    for word in text.split():
        if len(word) == 1:
            words.append(word)
            continue
        moved = ""
        for letter in word:
            place = (ord(letter) - 97 + len(word)) % 26
            moved += chr(97 + place)
        words.append(moved)
    return " ".join(words)
