# family: plain
# title: routes with parameters, in plain Python
# time: O(n)
# space: O(n)
# english: Sends requests to a handler over a socket pair; routes carry a number, and unknown ones give 404 or 405.
# chinese: 通过套接字对向处理器发送请求；路由含数字，未知者返回 404 或 405。
# control-for: 343
# call: visit([("GET", "/book/2"), ("GET", "/book/7"), ("GET", "/list")])
# call: visit([("DELETE", "/book/1"), ("GET", "/list"), ("DELETE", "/list")])
# call: visit([("GET", "/"), ("DELETE", "/book/9"), ("GET", "/book/x")])
def reply(status, text=""):
    lines = [f"HTTP/1.0 {status}"]
    lines.append(f"Content-Length: {len(text)}")
    head = "\r\n".join(lines)
    return head + "\r\n\r\n" + text


def get(path, books):
    if path == "/list":
        return reply(200, ",".join(books.values()))
    kind, _, number = path[1:].partition("/")
    if kind == "book" and number.isdigit() and int(number) in books:
        return reply(200, books[int(number)])
    return reply(404)


def delete(path, books):
    kind, _, number = path[1:].partition("/")
    if kind != "book":
        return reply(405)
    gone = books.pop(int(number), None)
    return reply(204 if gone else 404)


def ask(verb, target, books):
    request = f"{verb} {target} HTTP/1.1\r\nHost: library\r\n\r\n"
    head, _, body = request.partition("\r\n\r\n")
    first, *headers = head.split("\r\n")
    verb, path, version = first.split(" ")
    handle = {"GET": get, "DELETE": delete}[verb]
    response = handle(path, books)
    head, _, text = response.partition("\r\n\r\n")
    status = head.split("\r\n")[0].split(" ")[1]
    return int(status), text


def visit(requests):
    books = {1: "emma", 2: "dune"}
    log = []
    for verb, target in requests:
        log.append(ask(verb, target, books))
    return log
