# family: http
# title: routes with parameters
# time: O(n)
# space: O(n)
# english: Sends requests to a handler over a socket pair; routes carry a number, and unknown ones give 404 or 405.
# chinese: 通过套接字对向处理器发送请求；路由含数字，未知者返回 404 或 405。
# call: visit([("GET", "/book/2"), ("GET", "/book/7"), ("GET", "/list")])
# call: visit([("DELETE", "/book/1"), ("GET", "/list"), ("DELETE", "/list")])
# call: visit([("GET", "/"), ("DELETE", "/book/9"), ("GET", "/book/x")])
import socket
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler


class Library(BaseHTTPRequestHandler):
    books = {}

    def reply(self, status, text=""):
        self.send_response_only(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self):
        if self.path == "/list":
            return self.reply(200, ",".join(self.books.values()))
        kind, _, number = self.path[1:].partition("/")
        if kind == "book" and number.isdigit() and int(number) in self.books:
            return self.reply(200, self.books[int(number)])
        self.reply(404)

    def do_DELETE(self):
        kind, _, number = self.path[1:].partition("/")
        if kind != "book":
            return self.reply(405)
        gone = self.books.pop(int(number), None)
        self.reply(204 if gone else 404)


def ask(verb, target):
    near, far = socket.socketpair()
    client = HTTPConnection("library")
    client.sock = near
    client.request(verb, target)
    Library(far, "local", None)
    far.close()
    answer = client.getresponse()
    text = answer.read().decode()
    near.close()
    return answer.status, text


def visit(requests):
    Library.books = {1: "emma", 2: "dune"}
    log = []
    for verb, target in requests:
        log.append(ask(verb, target))
    return log
