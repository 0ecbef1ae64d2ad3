# family: http
# title: pages of a search
# time: O(n)
# space: O(n)
# english: Answers searches with query parameters for text, page and size, over a socket pair, and names the next page.
# chinese: 通过套接字对响应带文本、页码和页长参数的查询，并给出下一页。
# call: search(["/find?q=a&size=2", "/find?q=a&size=2&page=2"])
# call: search(["/find?q=plum", "/find?size=3", "/find?q=e&page=9"])
# call: search(["/find?q=p%65a", "/other", "/find?q=a&q=p&size=1"])
import socket
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

GOODS = ["apple", "banana", "pear", "plum"]


class Search(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        if url.path != "/find":
            self.send_response_only(404)
            return self.end_headers()
        words = query.get("q", [""])
        size = int(query.get("size", ["1"])[0])
        page = int(query.get("page", ["1"])[0])
        hits = [name for name in GOODS if all(word in name for word in words)]
        end = page * size
        self.send_response_only(200)
        self.send_header("X-Next", str(page + 1 if end < len(hits) else 0))
        self.end_headers()
        self.wfile.write(",".join(hits[end - size : end]).encode())


def search(targets):
    log = []
    for target in targets:
        near, far = socket.socketpair()
        client = HTTPConnection("shop")
        client.sock = near
        client.request("GET", target)
        Search(far, "local", None)
        far.close()
        answer = client.getresponse()
        text = answer.read().decode()
        near.close()
        log.append((answer.status, answer.getheader("X-Next"), text))
    return log
