# family: plain
# title: notes as JSON, in plain Python
# time: O(n)
# space: O(n)
# english: Posts notes as JSON to a server in the same process, which numbers them and refuses what it cannot read.
# chinese: 向同进程服务器以 JSON 提交便条，由其编号并拒绝无法读取者。
# control-for: 344
# call: post(['{"text": "tea", "stars": 2}', '{"text": "oil"}', '{"text": ""}'])
# call: post(['{"stars": 5}', '{"text": "a", "stars": 9}', '{"text": "b", "stars": 1}'])
# call: post(['[1, 2', '{"text": "x"}', '{"text": "x"}'])
class JSONDecodeError(Exception):
    pass


def load(body):
    if body[0] + body[-1] != "{}":
        raise JSONDecodeError(body)
    note = {}
    for pair in body[1:-1].split(", "):
        key, value = pair.split(": ")
        note[key[1:-1]] = value[1:-1] if value[0] == '"' else int(value)
    return note


def handle(body, stored):
    try:
        note = load(body)
        text = note["text"]
    except (JSONDecodeError, KeyError) as error:
        return reply(400, type(error).__name__)
    if not text or note.get("stars", 0) > 5:
        return reply(422, "value")
    stored.append(text)
    return reply(201, len(stored))


def reply(status, value):
    lines = [f"HTTP/1.0 {status}"]
    lines.append(f"Content-Length: {len(str(value))}")
    return "\r\n".join(lines) + f"\r\n\r\n{value}"


def post(bodies):
    stored = []
    seen = []
    for body in bodies:
        request = f"POST / HTTP/1.1\r\nHost: notes\r\n\r\n{body}"
        head, _, body = request.partition("\r\n\r\n")
        response = handle(body, stored)
        head, _, text = response.partition("\r\n\r\n")
        status = int(head.split("\r\n")[0].split(" ")[1])
        seen.append((status, int(text) if text.isdigit() else text))
    return seen, stored
