# family: plain
# title: basket in a session, in plain Python
# time: O(n)
# space: O(n)
# english: Keeps baskets by a session cookie that the server sets at the first visit and forgets at checkout.
# chinese: 用服务器首次访问时设置、结账时删除的会话 cookie 保存购物篮。
# control-for: 350
# call: shop([("ann", "/add/pen"), ("ann", "/add/ink"), ("bo", "/add/cup"), ("ann", "/pay")])
# call: shop([("x", "/pay"), ("x", "/add/a"), ("x", "/pay"), ("x", "/add/b")])
# call: shop([("u", "/add/k"), ("v", "/pay"), ("u", "/look"), ("u", "/add/k")])
def handle(request, baskets, numbers):
    first, *lines = request.strip().split("\r\n")
    key = lines[-1].partition("Cookie: session=")[2]
    if key not in baskets:
        numbers.append(len(numbers) + 1)
        key = f"s{numbers[-1]}"
        baskets[key] = []
    _, action, *goods = first.split(" ")[1].split("/")
    baskets[key] += goods
    size = len(baskets[key])
    if action == "pay":
        del baskets[key]
    lines = ["HTTP/1.0 200"]
    lines.append(f"Set-Cookie: session={key}; Path=/")
    head = "\r\n".join(lines)
    return head + f"\r\n\r\n{action} {size}"


def shop(visits):
    baskets = {}
    numbers = []
    jars = {}
    log = []
    for client, path in visits:
        header = jars.get(client, "")
        request = f"GET {path} HTTP/1.1\r\nHost: shop\r\n"
        if header:
            request += f"Cookie: {header}\r\n"
        response = handle(request + "\r\n", baskets, numbers)
        head, _, body = response.partition("\r\n\r\n")
        first, cookie = head.split("\r\n")
        pair, _, path = cookie.removeprefix("Set-Cookie: ").partition("; ")
        jars[client] = pair
        log.append((pair.split("=")[1], body))
    return log
