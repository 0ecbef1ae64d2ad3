# family: dictionaries
# title: count then order
# time: O(n*log(n))
# space: O(n)
# english: Counts letters of a text without case, and gives them by falling count, ties by last place in the text.
# chinese: 不分大小写统计字母，按次数降序，同次数者按其最后出现位置排序。
# call: letters("Hello")
# call: letters("Aa bB b")
# call: letters("Mississippi")
def letters(text):
    counts, last = {}, {}
    for place, letter in enumerate(text.lower()):
        if letter.isalpha():
            counts[letter] = counts.get(letter, 0) + 1
            last[letter] = place
    order = sorted(counts, key=lambda letter: (-counts[letter], last[letter]))
    return {letter: counts[letter] for letter in order if counts[letter] > 1 or last[letter] % 2}
