# family: plain
# title: pages that did not change, in plain Python
# time: O(n)
# space: O(n)
# english: A client keeps pages with their ETag and asks again; the server answers 304 unless the page was edited.
# chinese: 客户端缓存页面与 ETag 再次请求；除非页面被编辑，服务器答复 304。
# control-for: 346
# call: browse(["/a", "/a", "edit", "/a"])
# call: browse(["edit", "/b", "/a", "/b", "/b"])
# call: browse(["/c", "/a", "edit", "edit", "/a", "/a"])
def handle(request, pages):
    first, *lines = request.split("\r\n")
    path = first.split(" ")[1]
    page = pages.get(path)
    if page is None:
        return 404, None, ""
    tag = f'"{sum(map(ord, page)):x}"'
    if lines[1] == f"If-None-Match: {tag}":
        return 304, None, ""
    return 200, tag, page


def fetch(path, headers):
    lines = [f"GET {path} HTTP/1.1"]
    lines.append("Host: site")
    lines += headers
    head = "\r\n".join(lines)
    request = head + "\r\n\r\n"
    return request


def browse(actions):
    pages = {"/a": "one", "/b": "two"}
    cache = {}
    log = []
    for action in actions:
        if action == "edit":
            pages["/a"] += "!"
            continue
        known = cache.get(action)
        headers = [f"If-None-Match: {known[0]}"] if known else []
        request = fetch(action, headers)
        status, tag, page = handle(request, pages)
        if status == 200:
            cache[action] = (tag, page)
        log.append((status, len(page)))
    return log, [page for _, page in cache.values()]
