# family: re
# title: access log by status
# time: O(n)
# space: O(k)
# english: Parses lines of an access log with named groups and sums bytes per class of status, counting bad lines.
# chinese: 用命名分组解析访问日志，按状态类别累计字节数，并统计坏行。
# call: by_status(["10.0.0.1 GET /a 200 512", "10.0.0.2 GET /b 404 -", "broken", "10.0.0.1 PUT /a 201 88"])
# call: by_status(["::1 GET / 500 7", "::1 GET / 503 8", "h GET / 99 1"])
# call: by_status(["x POST /q?a=1 302 -", "", "x POST  /q 302 5"])
import re

LINE = re.compile(r"(?P<host>\S+) (?P<verb>[A-Z]+) (?P<path>\S+) (?P<status>[1-5]\d\d) (?P<size>\d+|-)")


def by_status(lines):
    totals = {}
    hosts = {}
    bad = 0
    for line in lines:
        match = LINE.fullmatch(line)
        if match is None:
            bad += 1
            continue
        kind = match["status"][0] + "xx"
        size = 0 if match["size"] == "-" else int(match["size"])
        totals[kind] = totals.get(kind, 0) + size
        hosts[match["host"]] = hosts.get(match["host"], 0) + 1
    return totals, hosts, bad
