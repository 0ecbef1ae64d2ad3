# family: parsing
# title: nested repeats that mirror
# time: O(n*r)
# space: O(n*r)
# english: Expands text in which <3ab> means ab three times; a count of 1 writes the inner text backwards instead, and the count must be a digit.
# chinese: 展开文本，其中 <3ab> 表示 ab 重复三次；次数为 1 时改为倒写内部文本，次数必须是数字。
# call: expand("<1on>")
# call: expand("k<2a<1de>>t")
# call: expand("m<3u<xo>>")
def expand(text):
    letters = iter(text)

    def group():
        out = ""
        for letter in letters:
            if letter == ">":
                break
            if letter != "<":
                out += letter
                continue
            times = int(next(letters))
            inner = group()
            out += inner[::-1] if times == 1 else inner * times
        return out

    return group()
