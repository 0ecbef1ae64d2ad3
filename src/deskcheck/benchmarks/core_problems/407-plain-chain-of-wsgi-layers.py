# family: plain
# title: chain of WSGI layers, in plain Python
# time: O(n)
# space: O(n)
# english: Calls a WSGI application behind two layers, one that checks a key and one that counts and upper-cases answers.
# chinese: 调用包了两层的 WSGI 应用：一层检查密钥，一层计数并把答复转为大写。
# control-for: 347
# call: serve([("/hi/ann", "k1"), ("/hi/bo", ""), ("/sum/2/3", "k1")])
# call: serve([("/", "k1"), ("/sum/4", "k1"), ("/hi", "zz")])
# call: serve([("/sum/1/x", "k1"), ("/hi/cy", "k1")])
def application(request, answer):
    path = request["path"].strip("/")
    name, _, rest = path.partition("/")
    if name == "hi":
        answer["status"] = 200
        return ["hello ", rest]
    if name == "sum":
        try:
            total = sum(map(int, rest.split("/")))
        except ValueError:
            answer["status"] = 400
            return ["number?"]
        answer["status"] = 200
        return [str(total)]
    answer["status"] = 404
    return [""]


def with_key(inner, key):
    def layer(request, answer):
        if request.get("key") != key:
            answer["status"] = 403
            return ["key?"]
        return inner(request, answer)

    return layer


def serve(requests):
    log = []
    app = with_key(application, "k1")

    def loud(request, answer):
        parts = app(request, answer)
        return "".join(parts).upper()

    for path, key in requests:
        request = {"path": path, "key": key}
        answer = {}
        body = loud(request, answer)
        status = int(answer["status"])
        log.append((status, body))
    return log
