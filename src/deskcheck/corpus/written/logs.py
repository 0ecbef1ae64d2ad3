# call: count_levels(["INFO start", "ERROR disk", "INFO stop"])
# call: count_levels(["WARN a"])
# call: count_levels([])
# call: count_levels(["DEBUG x", "INFO y", "INFO z", "ERROR e", "error e", "WARN w", "INFO", "ERROR f", "FATAL g"])
# call: count_levels(["", "INFO ok"])
# call: count_levels(["INFO ok", None])
def count_levels(lines):
    levels = ("DEBUG", "INFO", "WARN", "ERROR")
    totals = [0] * 5
    for line in lines:
        for place, level in enumerate(levels):
            if line.startswith(level):
                totals[place] += 1
                break
        else:
            totals[-1] += 1
    return " ".join(f"{n}{level[0]}" for n, level in zip(totals, (*levels, "?")) if n)


# call: parse_log("12:01 [INFO] server: started")
# call: parse_log("23:59 [ERROR] db: lost: reconnect")
# call: parse_log("")
# call: parse_log("07:15 [WARN] mail-queue: 12 messages are waiting since yesterday")
# call: parse_log("00:00 [] x: y")
# call: parse_log(42)
import re

LINE = re.compile(r"(?P<time>\d\d:\d\d) \[(?P<level>[A-Z]*)\] (?P<unit>[\w-]+): (?P<text>.*)")


def parse_log(line):
    found = LINE.match(line)
    if found is None:
        return {}
    entry = found.groupdict()
    if not entry["level"]:
        entry["level"] = "INFO"
    return entry


# call: seconds_since_start(["00:00:05 a", "00:00:09 b", "00:01:00 c"])
# call: seconds_since_start(["10:00:00 boot"])
# call: seconds_since_start([])
# call: seconds_since_start(["09:59:58 a", "10:00:01 b", "10:00:01 c", "10:12:30 d", "11:00:00 e"])
# call: seconds_since_start(["23:59:59 a", "00:00:01 b"])
# call: seconds_since_start(["boot"])
def seconds_since_start(lines):
    origin = None
    result = []
    for line in lines:
        h, m, s = map(int, line[:8].split(":"))
        t = (h * 60 + m) * 60 + s
        if origin is None:
            origin = t
        result.append(t - origin)
    return result


# call: sessions([("ann", 10), ("bob", 12), ("ann", 15)], 10)
# call: sessions([("ann", 1), ("ann", 50)], 10)
# call: sessions([], 5)
# call: sessions([("a", 0), ("b", 3), ("a", 4), ("a", 20), ("b", 25), ("c", 26), ("a", 29), ("b", 30)], 8)
# call: sessions([("a", 9), ("a", 2)], 3)
# call: sessions([("a", "9")], 3)
def sessions(events, pause):
    last, count = {}, {}
    for user, t in events:
        before = last.get(user, -pause - 1)
        if t - before > pause:
            count[user] = count.get(user, 0) + 1
        last[user] = t
    return count


# call: top_paths(["GET /a", "GET /b", "POST /a"], 1)
# call: top_paths(["GET /"], 3)
# call: top_paths([], 2)
# call: top_paths(["GET /x?q=1", "GET /x?q=2", "GET /y", "PUT /z", "GET /y", "GET /x", "HEAD /w"], 2)
# call: top_paths(["GET /a", "GET /a/"], 0)
# call: top_paths(["GET"], 1)
from collections import Counter


def top_paths(requests, n):
    hits = Counter()
    for request in requests:
        method, path = request.split()
        path = path.partition("?")[0].rstrip("/") or "/"
        hits[path] += 1
    return hits.most_common(n)


# call: mask_addresses("login from 10.0.0.7 ok")
# call: mask_addresses("192.168.1.20 -> 8.8.8.8")
# call: mask_addresses("")
# call: mask_addresses("hop 1.2.3.4 hop 5.6.7.8 hop 9.10.11.12 version 1.2.3 date 1.1.2024")
# call: mask_addresses("999.999.999.999")
# call: mask_addresses(b"10.0.0.7")
def mask_addresses(line):
    masked, n = re.subn(r"\b(\d+)\.(\d+)\.\d+\.\d+\b", r"\1.\2.x.x", line)
    return f"{masked} ({n})"


import re


# call: tail(["a", "b", "c", "d"], 2)
# call: tail(["a"], 5)
# call: tail([], 3)
# call: tail(["l%d" % i for i in range(12)], 4)
# call: tail(["a", "b"], 0)
# call: tail(["a", "b"], -1)
from collections import deque


def tail(lines, n):
    last = deque(maxlen=n)
    dropped = 0
    for line in lines:
        if len(last) == n:
            dropped += 1
        last.append(line)
    if dropped:
        last.appendleft(f"... {dropped} more")
    return list(last)


# call: key_values("user=ann ip=10.1.1.1 time=35")
# call: key_values("ok")
# call: key_values("")
# call: key_values("a=1 b=two c= d==x e=3.5 f=-7 debug verbose a=2")
# call: key_values("=x y=")
# call: key_values(["a=1"])
def key_values(line):
    fields = {}
    for word in line.split():
        key, equals, value = word.partition("=")
        if not equals:
            fields[key] = True
        elif value.lstrip("-").isdigit():
            fields[key] = int(value)
        else:
            fields[key] = value
    return fields


# call: squeeze(["a", "a", "b", "a"])
# call: squeeze(["x", "x", "x"])
# call: squeeze([])
# call: squeeze(["up", "up", "down", "down", "down", "up", "ping", "ping", "ping", "ping", "up"])
# call: squeeze([""])
# call: squeeze(["a", 1, 1.0, True])
def squeeze(messages):
    """Like syslog: 'last message repeated n times'."""
    out = []
    repeated = 0
    for i, message in enumerate(messages):
        if i and message == messages[i - 1]:
            repeated += 1
            continue
        if repeated:
            out.append(f"repeated {repeated} times")
            repeated = 0
        out.append(message)
    if repeated:
        out.append(f"repeated {repeated} times")
    return out


# call: LogBook("info").write(("info", "hi"), ("debug", "x"))
# call: LogBook("error").write(("warn", "w"), ("error", "e"))
# call: LogBook("debug").write()
# call: LogBook("warn").write(("debug", "a"), ("info", "b"), ("warn", "c"), ("error", "d"), ("warn", "e"), ("info", "f"))
# call: LogBook("off").write(("error", "e"))
# call: LogBook("info").write(("loud", "x"))
class LogBook:
    levels = ["debug", "info", "warn", "error", "off"]

    def __init__(self, level):
        self.threshold = self.levels.index(level)
        self.lines = []
        self.skipped = 0

    def write(self, *records):
        for level, text in records:
            if self.levels.index(level) < self.threshold:
                self.skipped += 1
            else:
                self.lines.append(f"{level[0].upper()} {text}")
        return self.lines, self.skipped


# call: error_rate("200 200 500 404")
# call: error_rate("200")
# call: error_rate("301 302 304")
# call: error_rate("200 201 204 400 403 404 404 500 502 503 200 200")
# call: error_rate("200 abc 500")
# call: error_rate("")
def error_rate(statuses):
    good = bad = 0
    for s in statuses.split():
        try:
            code = int(s)
        except ValueError:
            continue
        if 500 <= code < 600:
            bad += 1
        else:
            good += 1
    return "{:.1%}".format(bad / (good + bad))


# call: group_by_hour(["08:01 a", "08:55 b", "09:10 c"])
# call: group_by_hour(["23:59 x"])
# call: group_by_hour([])
# call: group_by_hour(["07:00 a", "07:30 b", "08:00 c", "07:59 d", "10:10 e", "10:11 f", "10:12 g", "11:00 h"])
# call: group_by_hour(["8:01 a", "08:02 b"])
# call: group_by_hour(["no time"])
from itertools import groupby


def group_by_hour(lines):
    groups = []
    for hour, part in groupby(lines, key=lambda line: int(line.split(":")[0])):
        groups.append((hour, sum(1 for _ in part)))
    return groups


# call: find_gaps([1, 2, 4, 7])
# call: find_gaps([10, 11])
# call: find_gaps([])
# call: find_gaps([100, 101, 105, 106, 107, 110, 111, 120, 121])
# call: find_gaps([3, 3, 2])
# call: find_gaps(["1", "2"])
def find_gaps(sequence_numbers):
    missing = []
    expected = None
    for n in sequence_numbers:
        if expected is not None and n > expected:
            missing.append(f"{expected}-{n - 1}" if n - expected > 1 else str(expected))
        expected = n + 1
    return ",".join(missing)


# call: brief("2024-05-01 ERROR disk full on /dev/sda1", 20)
# call: brief("short", 10)
# call: brief("", 5)
# call: brief("the connection to the database was lost and could not be made again", 32)
# call: brief("abcdefghij", 4)
# call: brief("abc", "2")
def brief(line, width):
    if len(line) <= width:
        return line.ljust(width, ".")
    if width < 5:
        return line[:width]
    keep = (width - 3) // 2
    return line[:keep] + "..." + line[-keep:]


# call: logins([("ann", "in"), ("bob", "in"), ("ann", "out")])
# call: logins([("ann", "in")])
# call: logins([])
# call: logins([("a", "in"), ("b", "in"), ("c", "in"), ("b", "out"), ("b", "in"), ("a", "out"), ("c", "out"), ("d", "in")])
# call: logins([("a", "out"), ("a", "in"), ("a", "in")])
# call: logins([("a", "sleep")])
def logins(events):
    online, peak, odd = set(), 0, []
    for user, what in events:
        if what not in ("in", "out"):
            raise ValueError(what)
        if (what == "in") == (user in online):
            odd.append((user, what))
            continue
        (online.add if what == "in" else online.remove)(user)
        peak = max(peak, len(online))
    return sorted(online), peak, odd


# call: slowest({"GET /a": [12, 300], "GET /b": [90]})
# call: slowest({"GET /": [1]}, 50)
# call: slowest({})
# call: slowest({"a": [5, 10, 15], "b": [200, 1], "c": [120, 130, 140, 150], "d": [99, 101], "e": [100]}, 100)
# call: slowest({"a": []})
# call: slowest({"a": ["12 ms"]})
def slowest(times, limit=100):
    slow = [(max(ms), path) for path, ms in times.items() if ms and max(ms) > limit]
    return [f"{path}:{ms}" for ms, path in sorted(slow)[::-1]]


# call: strip_colors("\x1b[31merror\x1b[0m done")
# call: strip_colors("plain")
# call: strip_colors("")
# call: strip_colors("\x1b[1mA\x1b[0m\x1b[32mB\x1b[0m \x1b[33;1mwarn\x1b[0m tail")
# call: strip_colors("\x1b[broken")
# call: strip_colors(None)
def strip_colors(text):
    first, *pieces = text.split("\x1b[")
    clean = first
    colors = 0
    for piece in pieces:
        code, m, rest = piece.partition("m")
        if m and code.replace(";", "").isdigit():
            clean += rest
            colors += code != "0"
        else:
            clean += "?" + piece
    return clean, colors


# call: join_continued(["a", "  b", "c"])
# call: join_continued(["x"])
# call: join_continued([])
# call: join_continued(["Error: bad", "  at f", "  at g", "INFO ok", "", "  x", "DONE"])
# call: join_continued(["  lost", "a"])
# call: join_continued([" a", 3])
def join_continued(lines):
    joined = []
    for line in lines:
        if line.startswith(" ") and joined:
            joined[-1] += "|" + line.strip()
        elif line:
            joined.append(line)
    return joined


# call: throttle_log([0, 1, 2, 3, 11], 3, 10)
# call: throttle_log([5], 1, 1)
# call: throttle_log([], 2, 5)
# call: throttle_log([0, 0, 1, 4, 5, 6, 6, 9, 10, 12, 15, 16], 3, 5)
# call: throttle_log([1, 2], 0, 5)
# call: throttle_log([1, "2"], 3, 5)
def throttle_log(times, most, window):
    recent = deque()
    verdicts = ""
    for t in times:
        while recent and recent[0] <= t - window:
            recent.popleft()
        if len(recent) < most:
            recent.append(t)
            verdicts += "y"
        else:
            verdicts += "n"
    return verdicts


from collections import deque


# call: severity("kernel panic!")
# call: severity("user logged in")
# call: severity("")
# call: severity("warning: fan failed twice, error 17 ignored, will retry")
# call: severity("PANIC")
# call: severity(["panic"])
def severity(message):
    words = {"panic": 9, "fatal": 8, "error": 5, "fail": 4, "warning": 2}
    text = message.lower()
    score = max((n for w, n in words.items() if w in text), default=0)
    return score + (message.isupper() and bool(message))


# call: diff_logs(["a", "b"], ["b", "c"])
# call: diff_logs(["a"], ["a"])
# call: diff_logs([], [])
# call: diff_logs(["start", "load", "run", "stop"], ["start", "run", "run", "warn", "stop", "exit"])
# call: diff_logs(["x", "x"], ["x"])
# call: diff_logs([["a"]], [])
def diff_logs(old, new):
    old_set, new_set = set(old), set(new)
    report = ["-" + line for line in old if line not in new_set]
    report += ["+" + line for line in new if line not in old_set]
    return report or None


# call: rotate(["log", "log.1"], 3)
# call: rotate(["log", "log.1", "log.2", "log.3"], 3)
# call: rotate([], 2)
# call: rotate(["log.4", "log", "log.1", "log.9", "log.2", "log.3"], 4)
# call: rotate(["log.1"], 1)
# call: rotate(["log.old"], 2)
def rotate(files, keep):
    renamed = {}
    for name in sorted(files, reverse=True):
        stem, dot, number = name.partition(".")
        next_number = int(number) + 1 if dot else 1
        renamed[name] = f"{stem}.{next_number}" if next_number <= keep else None
    return renamed


# call: traceback_depth("File a\n File b\n  File c")
# call: traceback_depth("File main")
# call: traceback_depth("")
# call: traceback_depth("a\n b\n  c\n  d\n b2\n  e\n   f\n    g\nh")
# call: traceback_depth("\n\n")
# call: traceback_depth(None)
def traceback_depth(text):
    def indent(line):
        return len(line) - len(line.lstrip(" "))

    deepest = max(text.splitlines(), key=indent, default="")
    return indent(deepest), deepest.strip()


# call: uptime([("up", 0), ("down", 50), ("up", 60)], 100)
# call: uptime([("up", 10)], 10)
# call: uptime([], 100)
# call: uptime([("up", 5), ("down", 20), ("up", 25), ("down", 70), ("down", 75), ("up", 90)], 120)
# call: uptime([("down", 3)], 0)
# call: uptime([("up", None)], 9)
def uptime(changes, end):
    total, since = 0, None
    for state, t in changes:
        if state == "up" and since is None:
            since = t
        elif state == "down" and since is not None:
            total += t - since
            since = None
    if since is not None:
        total += end - since
    return f"{100 * total / end:.1f} %" if end else "n/a"


# call: split_quoted('say "hello world" now')
# call: split_quoted("a b")
# call: split_quoted("")
# call: split_quoted('GET "/my file.txt" 200 "Mozilla 5.0" "" end')
# call: split_quoted('open "quote')
# call: split_quoted(["a"])
def split_quoted(line):
    fields = []
    # even pieces lie outside of the quotes, odd ones inside
    pieces = line.split('"')
    for number, piece in enumerate(pieces):
        if number % 2:
            fields.append(piece)
        else:
            fields.extend(piece.split())
    if len(pieces) % 2 == 0:
        fields[-1] = ("unclosed", fields[-1])
    return fields


# call: users_by_action("ann:read;bob:write;ann:write")
# call: users_by_action("cy:read")
# call: users_by_action("")
# call: users_by_action("a:read;b:read;a:read;c:delete;b:write;;d:read;c:read")
# call: users_by_action("a:;:b")
# call: users_by_action("a=read")
def users_by_action(text):
    actions = {}
    for record in text.split(";"):
        if record:
            user, action = record.split(":")
            users = actions.setdefault(action, [])
            if user not in users:
                users.append(user)
    return {a: "+".join(sorted(us)) for a, us in sorted(actions.items())}


# call: latency_classes([12, 480, 95, 1500])
# call: latency_classes([3])
# call: latency_classes([])
# call: latency_classes([50, 100, 101, 7, 999, 1000, 1001, 20000, 85, 430, 99.9])
# call: latency_classes([-1])
# call: latency_classes([12, "slow"])
def latency_classes(ms):
    bounds = {100: "fast", 1000: "ok", float("inf"): "slow"}
    out = dict.fromkeys(bounds.values(), 0)
    for value in ms:
        if value < 0:
            out["wrong"] = out.get("wrong", 0) + 1
            continue
        bound = next(b for b in bounds if value <= b)
        out[bounds[bound]] += 1
    return [f"{name}={n}" for name, n in out.items()]


# call: last_words({"a.log": "x\ny\n", "b.log": "z"})
# call: last_words({"a": "one"})
# call: last_words({})
# call: last_words({"web": "GET /\nGET /b\n\n", "db": "open\nlost", "mail": "", "cron": "ran\nran\nfailed 2 jobs\n"})
# call: last_words({"a": "\n\n"})
# call: last_words({"a": ["x"]})
def last_words(files):
    words = {}
    for name, text in files.items():
        lines = [line for line in text.split("\n") if line]
        words[name] = lines[-1].split()[-1] if lines else None
    return words


# call: decode_flags("rw-", "r--")
# call: decode_flags("rwx")
# call: decode_flags("---")
# call: decode_flags("rwx", "r-x", "r-x", "-w-", "--x")
# call: decode_flags("wr-")
# call: decode_flags("rw?")
def decode_flags(*triples):
    digits = []
    for triple in triples:
        value = 0
        for letter in triple:
            if letter != "-":
                value |= 4 >> "rwx".index(letter)
        digits.append(value)
    return "".join(map(str, digits)), [t for t in triples if "w" in t]


# call: elapsed("09:15:30", "09:16:05")
# call: elapsed("10:00:00", "12:30:15")
# call: elapsed("00:00:00", "00:00:00")
# call: elapsed("01:02:03", "23:45:06")
# call: elapsed("23:59:50", "00:00:10")
# call: elapsed("9h", "10h")
from datetime import datetime, timedelta


def elapsed(begin, end):
    form = "%H:%M:%S"
    span = datetime.strptime(end, form) - datetime.strptime(begin, form)
    if span < timedelta(0):
        span += timedelta(days=1)
    return str(span), span.total_seconds()


# call: Watchdog(10).watch([1, 5, 12, 30])
# call: Watchdog(5).watch([4, 8, 12])
# call: Watchdog(5).watch([])
# call: Watchdog(7, patience=2).watch([3, 9, 18, 26, 30, 40, 47, 60, 61])
# call: Watchdog(10, patience=0).watch([50])
# call: Watchdog("10").watch([1])
class Watchdog:
    """Bites when signals come too late too often."""

    def __init__(self, timeout, patience=1):
        self.timeout, self.patience = timeout, patience
        self.last = 0

    def late(self, t):
        gap, self.last = t - self.last, t
        return gap > self.timeout

    def watch(self, signals):
        warnings = 0
        for t in signals:
            if self.late(t):
                warnings += 1
                if warnings > self.patience:
                    return f"bite at {t}"
        return f"{warnings} warnings, last at {self.last}"


# call: csv_line("ann,3,ok")
# call: csv_line("bob, 4.5 , ,x")
# call: csv_line("")
# call: csv_line("2024-05-01,web-1,GET,/index,200,1.75,true,-3,none,0x1f")
# call: csv_line(",,")
# call: csv_line(17)
def csv_line(line):
    def convert(cell):
        cell = cell.strip()
        if cell in ("", "none"):
            return None
        for kind in (int, float):
            try:
                return kind(cell)
            except ValueError:
                pass
        return cell == "true" or cell

    return [convert(cell) for cell in line.split(",")]


# call: filter_log(["INFO a", "WARN b"], "WARN")
# call: filter_log(["INFO a", "INFO b"], "INFO", "b")
# call: filter_log([], "INFO")
# call: filter_log(["W one", "I two", "W three", "E four", "W thirteen", "I five", "W ten"], "W", "t", "e")
# call: filter_log(["INFO"])
# call: filter_log([1, 2], "INFO")
def filter_log(lines, *words, limit=2):
    hits = []
    skipped = 0
    for number, line in enumerate(lines, 1):
        for word in words:
            if word not in line:
                skipped += 1
                break
        else:
            hits.append(f"{number}:{line}")
            if len(hits) == limit:
                hits.append(f"({len(lines) - number} unread)")
                break
    return hits, skipped


# call: dots("..x..x")
# call: dots("xx")
# call: dots("")
# call: dots(".....x....x..xxx..?....x.")
# call: dots("?x?")
# call: dots(".f.")
def dots(run):
    """Output of a test run: . passed, x failed, ? skipped."""
    names = {".": "passed", "x": "failed", "?": "skipped"}
    tally = {}
    first_failure = None
    for i, mark in enumerate(run, 1):
        word = names[mark]
        tally[word] = tally.get(word, 0) + 1
        if mark == "x" and not first_failure:
            first_failure = i
    text = ", ".join(f"{n} {word}" for word, n in tally.items())
    return text if first_failure is None else f"{text}; first failure is number {first_failure}"


# call: next_free_port([8080, 8081, 9000])
# call: next_free_port([8081])
# call: next_free_port([])
# call: next_free_port([8080, 8081, 8082, 8083, 8084, 8086, 22, 80, 443])
# call: next_free_port([65535], 65535)
# call: next_free_port(None)
def next_free_port(used, port=8080):
    while port in used:
        port += 1
        if port > 65535:
            return -1
    return port


# call: chat_stats("ann: hi\nbob: hello ann\nann: bye")
# call: chat_stats("ann: hi")
# call: chat_stats("")
# call: chat_stats("a: one two\nb: three\n* c joined\nc: four five six\na: x\nc: y z\n* b left")
# call: chat_stats("a:\nb: ")
# call: chat_stats("hello")
def chat_stats(chat):
    said = {}
    longest = ""
    for line in chat.splitlines():
        if line.startswith("*"):
            continue
        who, text = line.split(":", 1)
        n, letters = said.get(who, (0, 0))
        text = text.strip()
        said[who] = (n + 1, letters + len(text))
        longest = text if len(text) > len(longest) else longest
    return {who: f"{letters / n:.1f}" for who, (n, letters) in said.items()}, longest


# call: chain_log_lines(["ok", "go"])
# call: chain_log_lines(["a"])
# call: chain_log_lines([])
# call: chain_log_lines(["start", "load cfg", "listen 80", "stop", "äöü"])
# call: chain_log_lines([""])
# call: chain_log_lines([b"a"])
def chain_log_lines(lines):
    out = []
    chain = 7
    for line in lines:
        for ch in line:
            chain = (chain * 31 ^ ord(ch)) & 0xFFFF
        out.append(f"{chain:04x}")
    return out


# call: undo_log(["set x 1", "set y 2", "set x 3", "undo"])
# call: undo_log(["set x 1", "undo", "undo"])
# call: undo_log([])
# call: undo_log(["set a 1", "set b 2", "del a", "set b 9", "undo", "undo", "del b", "set c 5", "undo"])
# call: undo_log(["del ghost", "undo"])
# call: undo_log(["set x"])
def undo_log(commands):
    values, undo = {}, []
    for command in commands:
        verb, *args = command.split()
        if verb == "undo":
            if undo:
                values = undo.pop()
            continue
        undo.append(values.copy())
        if verb == "set":
            name, value = args
            values[name] = int(value)
        else:
            values.pop(args[0], None)
    return values, len(undo)


# call: pair_requests([(1, "req"), (2, "req"), (1, "res")])
# call: pair_requests([(7, "req"), (7, "res")])
# call: pair_requests([])
# call: pair_requests([(1, "req"), (2, "req"), (3, "req"), (2, "res"), (4, "req"), (1, "res"), (9, "res"), (4, "res")])
# call: pair_requests([(5, "res")])
# call: pair_requests([(1, "req"), 2])
def pair_requests(log):
    waiting, answered, strays = {}, [], []
    for position, (number, kind) in enumerate(log):
        if kind == "req":
            waiting[number] = position
        else:
            try:
                took = position - waiting.pop(number)
            except KeyError:
                strays.append(number)
            else:
                answered.append((number, took))
    return answered, list(waiting), strays


# call: pad_table([("web", 12), ("db", 7)])
# call: pad_table([("x", "y")])
# call: pad_table([])
# call: pad_table([("service", "state", "ms"), ("web", "up", 12), ("database", "down", 1500)])
# call: pad_table([("a", "b"), ("c",)])
# call: pad_table([("a",), None])
def pad_table(rows):
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["|".join(c.ljust(w) for c, w in zip(row, widths)) for row in rows]


# call: since_error(["ok", "err", "ok", "ok"])
# call: since_error(["err"])
# call: since_error([])
# call: since_error(["ok", "ok", "err", "ok", "warn", "ok", "err", "err", "ok", "ok", "warn", "ok"])
# call: since_error(["ok", "warn"])
# call: since_error("err")
def since_error(states):
    distance = []
    far = None
    for state in states:
        if state == "err":
            far = 0
        elif far is not None and state == "ok":
            far += 1
        distance.append(far)
    return distance


# call: urls_in("see http://a.io and https://b.org/x?y=1.")
# call: urls_in("http://only.me")
# call: urls_in("none here")
# call: urls_in("http://a.io, http://a.io; (https://c.net/docs/) ftp://old.site https://d.eu:8080/p#q")
# call: urls_in("http://")
# call: urls_in(None)
import re


def urls_in(text):
    seen = {}
    for scheme, host in re.findall(r"(https?)://([^\s/?,;:)]+)", text):
        seen.setdefault(host.rstrip("."), set()).add(scheme)
    return [(h, "s" if "https" in s else "-") for h, s in seen.items()]


# call: bytes_text(512)
# call: bytes_text(1536)
# call: bytes_text(0)
# call: bytes_text(123456789)
# call: bytes_text(-2048)
# call: bytes_text("1k")
def bytes_text(size):
    sign = "-" * (size < 0)
    size = abs(size)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1024 or unit == "GB":
            break
        size /= 1024
    return f"{sign}{size:.1f} {unit}" if unit != "B" else f"{sign}{size} B"


# call: retry_plan(3)
# call: retry_plan(5, base=2)
# call: retry_plan(0)
# call: retry_plan(8, base=1.5, cap=20)
# call: retry_plan(2, base=100)
# call: retry_plan("3")
def retry_plan(tries, base=1, cap=30):
    waits = [min(base << n if isinstance(base, int) else base * 2 ** n, cap) for n in range(tries)]
    print("waits", *waits)
    return sum(waits)


# call: alert_text({"host": "web1", "load": 0.93})
# call: alert_text({"host": "db", "load": 0.5, "disk": 97})
# call: alert_text({})
# call: alert_text({"host": "mail", "load": 1.256, "disk": 81, "mem": 64, "swap": 99, "owner": "ops"})
# call: alert_text({"host": None, "load": 0.9})
# call: alert_text({"host": "x", "load": "high"})
def alert_text(status):
    host = status.get("host") or "unknown"
    parts = []
    if (load := status.get("load", 0)) > 0.8:
        parts.append(f"load {load:.0%}")
    for key in ("disk", "mem", "swap"):
        if status.get(key, 0) > 80:
            parts.append(f"{key} {status[key]}%")
    return f"{host}: " + (", ".join(parts) or "fine")


# call: busiest_minute(["10:01", "10:02", "10:01"])
# call: busiest_minute(["00:00"])
# call: busiest_minute([])
# call: busiest_minute(["9:59", "10:00", "10:00", "10:03", "10:03", "10:05", "9:59", "10:03", "9:59"])
# call: busiest_minute(["10:1", "10:01"])
# call: busiest_minute([1001, "10:01"])
def busiest_minute(stamps):
    ticks = sorted(int(h) * 60 + int(m) for h, m in (s.split(":") for s in stamps))
    best, run = (0, None), 0
    for before, tick in zip([None] + ticks, ticks):
        run = run + 1 if tick == before else 1
        if run > best[0]:
            best = run, "{}:{:02}".format(*divmod(tick, 60))
    return best


# call: log_tree({"app": ["up"], "db": {"main": ["ok", "slow"]}})
# call: log_tree({"x": []})
# call: log_tree({})
# call: log_tree({"a": {"b": {"c": ["1"], "d": ["2", "3"]}, "e": []}, "f": ["4"]})
# call: log_tree({"a": "text"})
# call: log_tree({"a": 5})
def log_tree(node, path=""):
    if not isinstance(node, dict):
        return [f"{path} {line}" for line in node]
    lines = []
    for name, child in node.items():
        lines += log_tree(child, path + "/" + name)
    return lines


# call: noisy([1, 2], 3)
# call: noisy([5], 0)
# call: noisy([], 1)
# call: noisy([4, 8, 15, 16, 23, 42], 4)
# call: noisy([0, 0], 9)
# call: noisy([1, "2"], 1)
def traced(function):
    calls = []

    def wrapper(*args):
        result = function(*args)
        calls.append(f"{function.__name__}{args} -> {result}")
        return result

    wrapper.calls = calls
    return wrapper


def noisy(numbers, step):
    total = 100

    @traced
    def spend(n):
        nonlocal total
        total -= n * step or 1
        return total

    for n in numbers:
        if spend(n) < 0:
            spend.calls.append("overdrawn")
    return total, spend.calls[-3:]


# call: dedupe_events([("a", 1), ("a", 2), ("b", 2)], 5)
# call: dedupe_events([("a", 1), ("a", 9)], 5)
# call: dedupe_events([], 5)
# call: dedupe_events([("a", 0), ("b", 1), ("a", 3), ("a", 6), ("c", 7), ("b", 8), ("a", 12), ("c", 13)], 4)
# call: dedupe_events([("a", 5), ("a", 5)], 0)
# call: dedupe_events([("a", 1), (["b"], 2)], 5)
def dedupe_events(events, quiet):
    last_seen = {}

    def fresh(event):
        name, t = event
        before = last_seen.get(name)
        last_seen[name] = t
        return before is None or t - before > quiet

    return list(filter(fresh, events)), last_seen


# call: nested_spans("((a)b)")
# call: nested_spans("(x)")
# call: nested_spans("")
# call: nested_spans("(load(parse)(check(types)))(run)")
# call: nested_spans("a(b")
# call: nested_spans("a)b(")
def nested_spans(trace):
    depth, lines = 0, {}
    for part in trace.replace("(", " ( ").replace(")", " ) ").split():
        match part:
            case "(":
                depth += 1
            case ")" if depth == 0:
                raise ValueError("span closed before it began")
            case ")":
                depth -= 1
            case name:
                lines.setdefault(depth, []).append(name)
    return lines, "balanced" if depth == 0 else f"{depth} open"
