# family: plain
# title: answers in the wanted form, in plain Python
# time: O(n log n)
# space: O(n)
# english: Chooses text, JSON or CSV by the weights in the Accept header of requests, or answers 406.
# chinese: 根据请求 Accept 头的权重选择文本、JSON 或 CSV，否则答复 406。
# control-for: 348
# call: negotiate(["application/json", "text/csv;q=0.5, text/plain"])
# call: negotiate(["image/png", "*/*;q=0.1, text/csv;q=0.9"])
# call: negotiate(["text/csv;q=0, text/plain;q=0.2", "", "text/csv, application/json"])
FORMS = {
    "text/plain": lambda row: " ".join(map(str, row)),
    "application/json": lambda row: str(list(row)),
    "text/csv": lambda row: ";".join(map(str, row)),
}


def handle(headers):
    weights = {}
    for part in headers.get("Accept", "").split(","):
        kind, _, weight = part.strip().partition(";q=")
        weights[kind] = float(weight or 1)
    best = None
    for form in FORMS:
        weight = weights.get(form, weights.get("*/*", 0))
        if weight and (best is None or weight > best[0]):
            best = (weight, form)
    if best is None:
        return "HTTP/1.0 406\r\n\r\n"
    body = FORMS[best[1]]([7, 8])
    return f"HTTP/1.0 200\r\nContent-Type: {best[1]}\r\n\r\n{body}"


def negotiate(wishes):
    log = []
    for wish in wishes:
        request = f"GET / HTTP/1.1\r\nHost: table\r\nAccept: {wish}\r\n\r\n"
        first, *lines, _, _ = request.split("\r\n")
        verb, target, version = first.split(" ")
        pairs = map(lambda line: line.partition(": ")[::2], lines)
        headers = dict(pairs)
        response = handle(headers)
        head, _, body = response.partition("\r\n\r\n")
        log.append((int(head[9:12]), body))
    return log
