# family: data structures
# title: words in a tree of letters
# time: O(n)
# space: O(n)
# english: Puts words into a tree of letters and gives, for a beginning, all words that go on from it, with a dot where it is a word itself.
# chinese: 把单词放入字母树，给出以某前缀开头的所有单词后续，自身为单词则写点。
# call: find(["to"], "t")
# call: find(["tea", "ten", "to"], "te")
# call: find(["in", "inn", "ink", "on", "inner"], "in")
def find(words, beginning):
    tree = {}
    for word in words:
        node = tree
        for letter in word:
            node = node.setdefault(letter, {})
        node["."] = {}
    for letter in beginning:
        node = tree = tree[letter]
    found, waiting = [], [("", tree)]
    while waiting:
        rest, node = waiting.pop()
        for letter in sorted(node):
            if letter == ".":
                found.append(rest + ".")
            else:
                waiting.append((rest + letter, node[letter]))
    return found
