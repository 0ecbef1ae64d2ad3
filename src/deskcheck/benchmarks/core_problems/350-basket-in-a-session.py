# family: http
# title: basket in a session
# time: O(n)
# space: O(n)
# english: Keeps baskets by a session cookie that the server sets at the first visit and forgets at checkout.
# chinese: 用服务器首次访问时设置、结账时删除的会话 cookie 保存购物篮。
# call: shop([("ann", "/add/pen"), ("ann", "/add/ink"), ("bo", "/add/cup"), ("ann", "/pay")])
# call: shop([("x", "/pay"), ("x", "/add/a"), ("x", "/pay"), ("x", "/add/b")])
# call: shop([("u", "/add/k"), ("v", "/pay"), ("u", "/look"), ("u", "/add/k")])
import socket
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler


class Shop(BaseHTTPRequestHandler):
    baskets = {}
    started = 0

    def do_GET(self):
        cookie = SimpleCookie(self.headers["Cookie"])
        key = cookie["session"].value if "session" in cookie else ""
        if key not in self.baskets:
            Shop.started += 1
            key = f"s{Shop.started}"
            self.baskets[key] = []
        _, action, *goods = self.path.split("/")
        self.baskets[key] += goods
        size = len(self.baskets[key])
        if action == "pay":
            del self.baskets[key]
        self.send_response_only(200)
        self.send_header("Set-Cookie", f"session={key}; Path=/")
        self.end_headers()
        self.wfile.write(f"{action} {size}".encode())


def shop(visits):
    Shop.baskets = {}
    Shop.started = 0
    jars = {}
    log = []
    for client, path in visits:
        jar = jars.setdefault(client, SimpleCookie())
        near, far = socket.socketpair()
        connection = HTTPConnection("shop")
        connection.sock = near
        header = jar.output(attrs=[], header="", sep=";").strip()
        connection.request("GET", path, headers={"Cookie": header} if header else {})
        Shop(far, "local", None)
        far.close()
        answer = connection.getresponse()
        jar.load(answer.getheader("Set-Cookie"))
        log.append((jar["session"].value, answer.read().decode()))
        near.close()
    return log
