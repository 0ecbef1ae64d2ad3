# family: http
# title: pages that did not change
# time: O(n)
# space: O(n)
# english: A client keeps pages with their ETag and asks again; the server answers 304 unless the page was edited.
# chinese: 客户端缓存页面与 ETag 再次请求；除非页面被编辑，服务器答复 304。
# call: browse(["/a", "/a", "edit", "/a"])
# call: browse(["edit", "/b", "/a", "/b", "/b"])
# call: browse(["/c", "/a", "edit", "edit", "/a", "/a"])
import socket
import zlib
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler


class Site(BaseHTTPRequestHandler):
    pages = {}

    def do_GET(self):
        page = self.pages.get(self.path)
        if page is None:
            self.send_response_only(404)
            return self.end_headers()
        tag = f'"{zlib.crc32(page):x}"'
        if self.headers["If-None-Match"] == tag:
            self.send_response_only(304)
            return self.end_headers()
        self.send_response_only(200)
        self.send_header("ETag", tag)
        self.end_headers()
        self.wfile.write(page)


def fetch(path, headers):
    near, far = socket.socketpair()
    client = HTTPConnection("site")
    client.sock = near
    client.request("GET", path, headers=headers)
    Site(far, "local", None)
    far.close()
    answer = client.getresponse()
    page = answer.read()
    near.close()
    return answer.status, answer.getheader("ETag"), page


def browse(actions):
    Site.pages = {"/a": b"one", "/b": b"two"}
    cache = {}
    log = []
    for action in actions:
        if action == "edit":
            Site.pages["/a"] += b"!"
            continue
        known = cache.get(action)
        status, tag, page = fetch(action, {"If-None-Match": known[0]} if known else {})
        if status == 200:
            cache[action] = (tag, page)
        log.append((status, len(page)))
    return log, [page.decode() for _, page in cache.values()]
