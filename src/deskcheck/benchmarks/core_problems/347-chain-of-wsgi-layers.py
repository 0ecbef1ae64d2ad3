# family: http
# title: chain of WSGI layers
# time: O(n)
# space: O(n)
# english: Calls a WSGI application behind two layers, one that checks a key and one that counts and upper-cases answers.
# chinese: 调用包了两层的 WSGI 应用：一层检查密钥，一层计数并把答复转为大写。
# call: serve([("/hi/ann", "k1"), ("/hi/bo", ""), ("/sum/2/3", "k1")])
# call: serve([("/", "k1"), ("/sum/4", "k1"), ("/hi", "zz")])
# call: serve([("/sum/1/x", "k1"), ("/hi/cy", "k1")])
from wsgiref.util import setup_testing_defaults, shift_path_info
from wsgiref.validate import validator


def application(environ, start_response):
    name = shift_path_info(environ)
    rest = environ["PATH_INFO"].strip("/")
    headers = [("Content-Type", "text/plain")]
    if name == "hi":
        start_response("200 OK", headers)
        return [b"hello ", rest.encode()]
    if name == "sum":
        try:
            total = sum(map(int, rest.split("/")))
        except ValueError:
            start_response("400 Bad Request", headers)
            return [b"number?"]
        start_response("200 OK", headers)
        return [str(total).encode()]
    start_response("404 Not Found", headers)
    return [b""]


def with_key(inner, key):
    def layer(environ, start_response):
        if environ.get("HTTP_X_KEY") != key:
            start_response("403 Forbidden", [("Content-Type", "text/plain")])
            return [b"key?"]
        return inner(environ, start_response)

    return layer


def serve(requests):
    log = []
    app = with_key(application, "k1")

    def loud(environ, start_response):
        parts = app(environ, start_response)
        return [b"".join(parts).upper()]

    for path, key in requests:
        environ = {"PATH_INFO": path, "HTTP_X_KEY": key, "SCRIPT_NAME": "", "QUERY_STRING": ""}
        setup_testing_defaults(environ)
        lines = []
        answer = validator(loud)(environ, lambda status, headers, error=None: lines.append(status[:3]))
        body = b"".join(answer)
        answer.close()
        log.append((int(lines[0]), body.decode()))
    return log
