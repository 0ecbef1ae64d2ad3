# family: strings
# title: runs squeezed to at most three
# time: O(n)
# space: O(n)
# english: Writes every run of equal letters as a capital and its length; runs longer than three are split, single letters stay as they are.
# chinese: 把连续相同的字母写成大写字母加长度；超过三个的拆开，单个字母保持不变。
# call: squeeze("abb")
# call: squeeze("kooooeel")
# call: squeeze("zzyyyyyyyxttz")
def squeeze(text):
    out = ""
    start = 0
    while start < len(text):
        end = start
        while end < len(text) and text[end] == text[start] and end - start < 3:
            end += 1
        run = end - start
        out += text[start] if run == 1 else f"{text[start].upper()}{run}"
        start = end
    return out
