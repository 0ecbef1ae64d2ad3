# family: effects
# title: pages of recorded answers
# time: O(n)
# space: O(n)
# english: Reads pages from recorded answers of a service, following the link of each, and collects what they hold and their names; a 503 is asked again, but the third one fails.
# chinese: 从已录制的服务应答中逐页读取，沿每页的链接前进，收集各页内容和页名；遇到 503 重试，但第三次就报错。
# call: fetch({"p": [(200, [4], "")]}, "p")
# call: fetch({"a": [(503, [], ""), (200, [7, 2], "b")], "b": [(200, [], "c")], "c": [(503, [], ""), (200, [5], "")]}, "a")
# call: fetch({"m": [(200, [1], "n")], "n": [(503, [], ""), (503, [], ""), (503, [], "")]}, "m")
def fetch(recorded, page):
    items, failures = [], 0
    answers = {name: iter(tape) for name, tape in recorded.items()}
    while page:
        status, part, onward = next(answers[page])
        if status == 503:
            failures += 1
            if failures > 2:
                raise ConnectionError(page)
            continue
        items.extend(part)
        items.append(page)
        page = onward
    return items, failures
