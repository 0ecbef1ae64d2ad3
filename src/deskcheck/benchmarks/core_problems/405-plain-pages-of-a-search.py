# family: plain
# title: pages of a search, in plain Python
# time: O(n)
# space: O(n)
# english: Answers searches with query parameters for text, page and size, over a socket pair, and names the next page.
# chinese: 通过套接字对响应带文本、页码和页长参数的查询，并给出下一页。
# control-for: 345
# call: search(["/find?q=a&size=2", "/find?q=a&size=2&page=2"])
# call: search(["/find?q=plum", "/find?size=3", "/find?q=e&page=9"])
# call: search(["/find?q=p%65a", "/other", "/find?q=a&q=p&size=1"])
GOODS = ["apple", "banana", "pear", "plum"]


def handle(target):
    path, _, text = target.partition("?")
    pairs = list(map(lambda part: part.partition("=")[::2], text.split("&")))
    if path != "/find":
        return 404, None, ""
    words = []
    for key, value in pairs:
        if key == "q":
            words.append(value.replace("%65", "e"))
    query = dict(pairs)
    size = int(query.get("size", "1"))
    page = int(query.get("page", "1"))
    hits = [name for name in GOODS if all(word in name for word in words)]
    end = page * size
    following = page + 1 if end < len(hits) else 0
    return 200, str(following), ",".join(hits[end - size : end])


def search(targets):
    log = []
    for target in targets:
        request = f"GET {target} HTTP/1.1\r\nHost: shop\r\n\r\n"
        first, *headers = request.split("\r\n")
        verb, target, version = first.split(" ")
        status, following, text = handle(target)
        log.append((status, following, text))
    return log
