# family: strings
# title: weaving two words from opposite ends
# time: O(n)
# space: O(n)
# english: Pairs letters of one word from the front with letters of the other from the back, writing each pair in order; stops with a capital at equal letters, otherwise adds what is left.
# chinese: 一个单词从前、另一个从后逐个配对字母，每对按顺序写出；遇到相同字母就写大写并停止，否则在最后加上剩余部分。
# call: weave("ab", "xyzw")
# call: weave("stone", "lamp")
# call: weave("cordialness", "shamelessly")
def weave(left, right):
    out = []
    i = 0
    while i < len(left) and i < len(right):
        a, b = left[i], right[-1 - i]
        if a == b:
            out.append(a.upper())
            break
        out.extend(sorted((a, b)))
        i += 1
    else:
        out.append(left[i:] + "/" + right[: len(right) - i])
    return "".join(out)
