# family: http
# title: answers in the wanted form
# time: O(n log n)
# space: O(n)
# english: Chooses text, JSON or CSV by the weights in the Accept header of requests, or answers 406.
# chinese: 根据请求 Accept 头的权重选择文本、JSON 或 CSV，否则答复 406。
# call: negotiate(["application/json", "text/csv;q=0.5, text/plain"])
# call: negotiate(["image/png", "*/*;q=0.1, text/csv;q=0.9"])
# call: negotiate(["text/csv;q=0, text/plain;q=0.2", "", "text/csv, application/json"])
import json
import socket
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler

FORMS = {
    "text/plain": lambda row: " ".join(map(str, row)),
    "application/json": json.dumps,
    "text/csv": lambda row: ";".join(map(str, row)),
}


class Table(BaseHTTPRequestHandler):
    def do_GET(self):
        weights = {}
        for part in self.headers.get("Accept", "").split(","):
            kind, _, weight = part.strip().partition(";q=")
            weights[kind] = float(weight or 1)
        best = None
        for form in FORMS:
            weight = weights.get(form, weights.get("*/*", 0))
            if weight and (best is None or weight > best[0]):
                best = (weight, form)
        self.send_response_only(200 if best else 406)
        self.send_header("Content-Type", best[1] if best else "none")
        self.end_headers()
        self.wfile.write(FORMS[best[1]]([7, 8]).encode() if best else b"")


def negotiate(wishes):
    log = []
    for wish in wishes:
        near, far = socket.socketpair()
        client = HTTPConnection("table")
        client.sock = near
        client.request("GET", "/", headers={"Accept": wish})
        Table(far, "local", None)
        far.close()
        answer = client.getresponse()
        log.append((answer.status, answer.read().decode()))
        near.close()
    return log
