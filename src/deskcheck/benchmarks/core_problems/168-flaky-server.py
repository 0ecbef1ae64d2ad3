# family: effects
# title: a server that answers from a list
# time: O(n)
# space: O(n)
# english: Asks a recorded server page by page, tries a busy one again, and follows the next page; what it has no record of fails.
# chinese: 逐页访问录制的服务器，繁忙则重试，并跟随下一页；无记录则报错。
# call: fetch({"1": ["ok x"]}, "1")
# call: fetch({"1": ["busy", "ok a 2"], "2": ["ok b"]}, "1")
# call: fetch({"p": ["ok m q"], "q": ["busy", "busy"]}, "p")
def fetch(server, page):
    found, asked = [], 0
    while page:
        asked += 1
        status, *rest = server[page].pop(0).split()
        if status == "busy":
            continue
        found.append(rest[0])
        page = rest[1] if len(rest) > 1 else ""
    return found, asked
