# family: http
# title: notes as JSON
# time: O(n)
# space: O(n)
# english: Posts notes as JSON to a server in the same process, which numbers them and refuses what it cannot read.
# chinese: 向同进程服务器以 JSON 提交便条，由其编号并拒绝无法读取者。
# call: post(['{"text": "tea", "stars": 2}', '{"text": "oil"}', '{"text": ""}'])
# call: post(['{"stars": 5}', '{"text": "a", "stars": 9}', '{"text": "b", "stars": 1}'])
# call: post(['[1, 2', '{"text": "x"}', '{"text": "x"}'])
import json
import socket
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler


class Notes(BaseHTTPRequestHandler):
    stored = []

    def do_POST(self):
        size = int(self.headers["Content-Length"])
        body = self.rfile.read(size)
        try:
            note = json.loads(body)
            text = note["text"]
        except (json.JSONDecodeError, KeyError) as error:
            return self.reply(400, {"error": type(error).__name__})
        if not text or note.get("stars", 0) > 5:
            return self.reply(422, {"error": "value"})
        self.stored.append(text)
        self.reply(201, {"number": len(self.stored)})

    def reply(self, status, data):
        body = json.dumps(data).encode()
        self.send_response_only(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def post(bodies):
    Notes.stored = []
    seen = []
    for body in bodies:
        near, far = socket.socketpair()
        client = HTTPConnection("notes")
        client.sock = near
        client.request("POST", "/", body)
        Notes(far, "local", None)
        far.close()
        answer = client.getresponse()
        data = json.loads(answer.read())
        near.close()
        seen.append((answer.status, *data.values()))
    return seen, Notes.stored
