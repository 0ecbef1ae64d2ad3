# family: plain
# title: form that redirects, in plain Python
# time: O(n)
# space: O(n)
# english: Posts a form, follows redirects up to a limit, and reports the path, the number of jumps and the page.
# chinese: 提交表单并在上限内跟随重定向，报告路径、跳转次数和页面。
# control-for: 349
# call: submit([("name", "Jo Do"), ("to", "/thanks")], 3)
# call: submit([("name", "x&y"), ("to", "/old")], 5)
# call: submit([("to", "/loop")], 4)
MOVED = {"/old": "/new", "/new": "/thanks?from=old", "/loop": "/loop"}


def post(body):
    pairs = map(lambda pair: pair.split("="), body.split("&"))
    fields = {key: value.replace("+", " ").replace("%26", "&").replace("%2F", "/") for key, value in pairs}
    name = fields.get("name", "nobody").replace("&", "%26").replace(" ", "%20")
    return answer(303, fields["to"] + f"#{name}")


def get(target):
    path, _, query = target.partition("?")
    if path in MOVED:
        return answer(302, MOVED[path])
    return answer(200, "", f"thanks {query}".strip())


def answer(status, location, text=""):
    lines = [f"HTTP/1.0 {status}"]
    lines.append(f"Location: {location}")
    return "\r\n".join(lines) + f"\r\n\r\n{text}"


def ask(verb, target, body=""):
    request = f"{verb} {target} HTTP/1.1\r\nHost: forms\r\n\r\n{body}"
    head, _, body = request.partition("\r\n\r\n")
    first, *lines = head.split("\r\n")
    verb, target, version = first.split(" ")
    response = post(body) if verb == "POST" else get(target)
    head, _, text = response.partition("\r\n\r\n")
    first, location = head.split("\r\n")
    status = int(first.split(" ")[1])
    return status, location.partition(": ")[2], text


def submit(fields, most):
    body = "&".join(map("=".join, fields)).replace("x&y", "x%26y").replace(" ", "+")
    status, target, text = ask("POST", "/form", body)
    target, _, name = target.partition("#")
    jumps = 1
    while jumps < most:
        status, following, text = ask("GET", target)
        if not following:
            break
        target = following
        jumps += 1
    return status, target, jumps, name.replace("%20", " ").replace("%26", "&"), text
