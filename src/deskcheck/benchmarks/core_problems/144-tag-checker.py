# family: parsing
# title: tags that must close in order
# time: O(n)
# space: O(d)
# english: Reads tags such as <a> and </a>; gives how often each was opened and the greatest depth; a wrong end fails.
# chinese: 读取 <a> 和 </a> 标签；给出每个标签打开的次数和最大深度；错误的结束标签报错。
# call: tags("<a></a>")
# call: tags("<a><b></b><b></b></a>")
# call: tags("<p><q><r></q></r></p>")
def tags(text):
    opened, counts, deepest = [], {}, 0
    for part in text.split("<")[1:]:
        name = part.rstrip(">")
        if not name.startswith("/"):
            opened.append(name)
            counts[name] = counts.get(name, 0) + 1
            deepest = max(deepest, len(opened))
        elif opened.pop() != name[1:]:
            raise ValueError(name)
    return counts, deepest
