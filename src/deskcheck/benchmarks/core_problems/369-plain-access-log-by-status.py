# family: plain
# title: access log by status, in plain Python
# time: O(n)
# space: O(k)
# english: Parses lines of an access log with named groups and sums bytes per class of status, counting bad lines.
# chinese: 用命名分组解析访问日志，按状态类别累计字节数，并统计坏行。
# control-for: 309
# call: by_status(["10.0.0.1 GET /a 200 512", "10.0.0.2 GET /b 404 -", "broken", "10.0.0.1 PUT /a 201 88"])
# call: by_status(["::1 GET / 500 7", "::1 GET / 503 8", "h GET / 99 1"])
# call: by_status(["x POST /q?a=1 302 -", "", "x POST  /q 302 5"])
def by_status(lines):
    totals = {}
    hosts = {}
    bad = 0
    for line in lines:
        host, verb, path, status, size = (line.split(" ") + [""] * 5)[:5]
        if not (path and verb.isupper() and len(status) == 3 and status[0] in "12345"):
            bad += 1
            continue
        kind = status[0] + "xx"
        size = 0 if size == "-" else int(size)
        totals[kind] = totals.get(kind, 0) + size
        hosts[host] = hosts.get(host, 0) + 1
    return totals, hosts, bad
