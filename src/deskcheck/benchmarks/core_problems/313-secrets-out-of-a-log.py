# family: re
# title: secrets out of a log
# time: O(n)
# space: O(n)
# english: Masks addresses and tokens in log lines word by word, keeping the domain and the last letters.
# chinese: 逐词遮蔽日志中的邮箱和令牌，保留域名和末尾字符。
# call: mask(["login ada@ox.org", "token=abcd1234 ok"], 2)
# call: mask(["a@b.c d@e.f", "token=xy", "nothing"], 3)
# call: mask(["from=bob@x.io token=9f8e7d", "token=q token=rst"], 1)
import re

ADDRESS = re.compile(r"(?P<user>\w+)@(?P<domain>[\w.]+)")
TOKEN = re.compile(r"token=(?P<value>\w+)")


def mask(lines, shown):
    clean = []
    count = 0
    for line in lines:
        words = re.split(" ", line)
        for place, word in enumerate(words):
            if ADDRESS.search(word):
                words[place] = ADDRESS.sub(r"***@\g<domain>", word)
                count += 1
            elif match := TOKEN.fullmatch(word):
                cut = max(match.end() - shown, match.start("value"))
                words[place] = f"token=<{cut - match.start('value')}>{word[cut:]}"
                count += 1
        clean.append(" ".join(words))
    return clean, count
