# family: http
# title: form that redirects
# time: O(n)
# space: O(n)
# english: Posts a form, follows redirects up to a limit, and reports the path, the number of jumps and the page.
# chinese: 提交表单并在上限内跟随重定向，报告路径、跳转次数和页面。
# call: submit([("name", "Jo Do"), ("to", "/thanks")], 3)
# call: submit([("name", "x&y"), ("to", "/old")], 5)
# call: submit([("to", "/loop")], 4)
import socket
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qsl, quote, unquote, urlencode


class Forms(BaseHTTPRequestHandler):
    moved = {"/old": "/new", "/new": "/thanks?from=old", "/loop": "/loop"}

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        fields = dict(parse_qsl(body))
        name = quote(fields.get("name", "nobody"))
        self.answer(303, fields["to"] + f"#{name}")

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path in self.moved:
            return self.answer(302, self.moved[path])
        self.answer(200, "", f"thanks {query}".strip())

    def answer(self, status, location, text=""):
        self.send_response_only(status)
        self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(text.encode())


def ask(verb, target, body=None):
    near, far = socket.socketpair()
    client = HTTPConnection("forms")
    client.sock = near
    client.request(verb, target, body)
    Forms(far, "local", None)
    far.close()
    answer = client.getresponse()
    text = answer.read().decode()
    near.close()
    return answer.status, answer.getheader("Location"), text


def submit(fields, most):
    status, target, text = ask("POST", "/form", urlencode(fields))
    target, _, name = target.partition("#")
    jumps = 1
    while jumps < most:
        status, following, text = ask("GET", target)
        if not following:
            break
        target = following
        jumps += 1
    return status, target, jumps, unquote(name), text
