# family: plain
# title: secrets out of a log, in plain Python
# time: O(n)
# space: O(n)
# english: Masks addresses and tokens in log lines word by word, keeping the domain and the last letters.
# chinese: 逐词遮蔽日志中的邮箱和令牌，保留域名和末尾字符。
# control-for: 313
# call: mask(["login ada@ox.org", "token=abcd1234 ok"], 2)
# call: mask(["a@b.c d@e.f", "token=xy", "nothing"], 3)
# call: mask(["from=bob@x.io token=9f8e7d", "token=q token=rst"], 1)
def mask(lines, shown):
    clean = []
    count = 0
    for line in lines:
        words = line.split(" ")
        for place, word in enumerate(words):
            if "@" in word:
                user, _, domain = word.partition("@")
                words[place] = user[: user.find("=") + 1] + "***@" + domain
                count += 1
            elif word.startswith("token="):
                hidden = max(len(word) - 6 - shown, 0)
                words[place] = f"token=<{hidden}>{word[6 + hidden:]}"
                count += 1
        clean.append(" ".join(words))
    return clean, count
