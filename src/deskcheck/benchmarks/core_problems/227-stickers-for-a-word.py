# family: dynamic programming
# title: stickers for a word
# time: O(s*2**n)
# space: O(2**n)
# english: Fewest stickers whose letters spell a word, each sticker used at most once and cut from left to right only.
# chinese: 拼出单词所需的最少贴纸，每张最多用一次，且只能从左到右剪字母。
# pattern: subset
# call: stickers("cab", ["ca", "b"])
# call: stickers("noon", ["no", "on", "non"])
# call: stickers("tree", ["er", "tee", "re"])
def stickers(word, sheets):
    best = {0: 0}
    for sheet in sheets:
        for mask, used in sorted(best.items()):
            filled = mask
            place = 0
            for letter in sheet:
                while place < len(word) and (filled >> place & 1 or word[place] != letter):
                    place += 1
                if place < len(word):
                    filled |= 1 << place
            if used + 1 < best.get(filled, 99):
                best[filled] = used + 1
    return best.get((1 << len(word)) - 1, -1), len(best)
