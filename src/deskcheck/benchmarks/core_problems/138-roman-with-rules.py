# family: parsing
# title: numerals with a strict order
# time: O(n)
# space: O(1)
# english: Reads numerals with letters a=1, b=4, c=9: a smaller one before a larger is subtracted, the same one thrice in a row fails.
# chinese: 读取由 a=1、b=4、c=9 组成的数字：小的在大的前面则减去，连续三个相同报错。
# call: read("ab")
# call: read("ccab")
# call: read("cbaaab")
def read(text):
    worth = {"a": 1, "b": 4, "c": 9}
    total = 0
    for i, letter in enumerate(text):
        if text[i : i + 3] == letter * 3:
            raise ValueError(i)
        value = worth[letter]
        if i + 1 < len(text) and worth[text[i + 1]] > value:
            value = -value
        total += value
    return total
