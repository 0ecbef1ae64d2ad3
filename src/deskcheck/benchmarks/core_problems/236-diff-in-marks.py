# family: texts
# title: diff in marks
# time: O(n)
# space: O(n)
# english: Marks what changes between two words of equal ends: the middle of the first in brackets, of the second in braces.
# chinese: 标出两个单词的差异：相同首尾之外，前者的中段加方括号，后者的加花括号。
# call: marks("kitten", "mitten")
# call: marks("running", "ruling")
# call: marks("aaa", "aaaa")
def marks(old, new):
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    middle = old[start : len(old) - end], new[start : len(new) - end]
    out = old[:start]
    out += f"[{middle[0]}]" if middle[0] else ""
    out += "{" + middle[1] + "}" if middle[1] else ""
    return out + (old[-end:] if end else "")
