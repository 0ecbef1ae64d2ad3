# family: texts
# title: pad to the margin
# time: O(n)
# space: O(n)
# english: Sets words into lines of a width and spreads the blanks, the rest of them from the right.
# chinese: 把单词排成定宽的行并均匀分配空格，多余空格从右边起分。
# call: justify("to be or not", 6)
# call: justify("one day at a time", 9)
# call: justify("a bc def g hi", 8)
def justify(text, width):
    lines, line = [], []
    for word in text.split():
        if sum(map(len, line)) + len(line) + len(word) > width:
            lines.append(line)
            line = []
        line.append(word)
    done = []
    for words in lines:
        blanks, gaps = width - sum(map(len, words)), len(words) - 1
        if not gaps:
            done.append(words[0].ljust(width, "."))
            continue
        each, rest = divmod(blanks, gaps)
        text = words[0]
        for i, word in enumerate(words[1:], 1):
            text += "." * (each + (1 if i > gaps - rest else 0)) + word
        done.append(text)
    return "|".join(done + [" ".join(line)])
