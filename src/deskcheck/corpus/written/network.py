# call: split_address("10.0.0.1:8080")
# call: split_address("host.local:22")
# call: split_address("")
# call: split_address("gateway.north.example.net:65535")
# call: split_address("host.local")
# call: split_address("host:port")
def split_address(address, default_port=80):
    host, colon, port = address.rpartition(":")
    if not colon:
        return address, default_port
    number = int(port)
    if not 0 < number < 65536:
        raise ValueError(f"port {number}")
    return host, number


# call: same_subnet("10.0.1.5", "10.0.1.77", 24)
# call: same_subnet("10.0.1.5", "10.0.2.77", 16)
# call: same_subnet("0.0.0.0", "255.255.255.255", 0)
# call: same_subnet("192.168.100.200", "192.168.100.129", 25)
# call: same_subnet("10.0.0.1", "10.0.0.1", 32)
# call: same_subnet("10.0.0", "10.0.0.1", 24)
def same_subnet(left, right, bits):
    def as_number(address):
        number = 0
        for part in address.split("."):
            number = number << 8 | int(part)
        return number

    shift = 32 - bits
    return as_number(left) >> shift == as_number(right) >> shift


# call: fold_checksum([1, 2, 3])
# call: fold_checksum([250, 250])
# call: fold_checksum([])
# call: fold_checksum([72, 101, 108, 108, 111, 44, 32, 104, 111, 115, 116])
# call: fold_checksum([-1, 256])
# call: fold_checksum("abc")
def fold_checksum(data):
    a, b = 1, 0
    for byte in data:
        a = (a + byte) % 251
        b = (b ^ a) + byte & 0xFF
    return f"{a:02x}{b:02x}"


# call: send_with_retries([False, False, True])
# call: send_with_retries([True])
# call: send_with_retries([])
# call: send_with_retries([False, False, False, False, True, True], tries=6)
# call: send_with_retries([False, False], tries=1)
# call: send_with_retries(None)
def send_with_retries(answers, tries=4):
    wait = 1
    log = []
    replies = iter(answers)
    for attempt in range(1, tries + 1):
        ok = next(replies, False)
        if ok:
            log.append(f"ok after {attempt}")
            break
        log.append(f"wait {wait}")
        wait = min(wait * 2, 5)
    else:
        log.append("gave up")
    return log


# call: parse_packet("SYN|10|hello")
# call: parse_packet("ACK|3|")
# call: parse_packet("")
# call: parse_packet("DATA|1024|some|piped|payload of words")
# call: parse_packet("FIN|-1|bye")
# call: parse_packet("DATA|ten|x")
class BadPacket(Exception):
    pass


def parse_packet(raw):
    try:
        kind, number, payload = raw.split("|", 2)
        seq = int(number)
    except ValueError as error:
        raise BadPacket(raw[:8]) from error
    if seq < 0:
        return {"kind": kind, "seq": None, "size": len(payload)}
    return {"kind": kind, "seq": seq, "payload": payload}


# call: reorder([(2, "b"), (1, "a"), (3, "c")])
# call: reorder([(1, "x")])
# call: reorder([])
# call: reorder([(4, "d"), (2, "b"), (6, "f"), (1, "a"), (3, "c"), (2, "B"), (5, "e")])
# call: reorder([(2, "b"), (3, "c")])
# call: reorder([(1, "a"), "bc"])
def reorder(packets):
    waiting = {}
    delivered = []
    expected = 1
    for seq, payload in packets:
        waiting.setdefault(seq, payload)
        while expected in waiting:
            delivered.append(waiting.pop(expected))
            expected += 1
    return delivered, waiting


# call: flagNames(5)
# call: flagNames(18)
# call: flagNames(0)
# call: flagNames(63)
# call: flagNames(-1)
# call: flagNames("5")
FLAGS = ["FIN", "SYN", "RST", "PSH", "ACK", "URG"]


def flagNames(bits):
    return [name for i, name in enumerate(FLAGS) if bits >> i & 1]


# call: hops({"a": "b", "b": "c", "c": "d"}, "a", "d")
# call: hops({"a": "b"}, "a", "a")
# call: hops({}, "x", "y")
# call: hops({"a": "b", "b": "c", "c": "d", "d": "e", "e": "f", "f": "g"}, "a", "g", ttl=4)
# call: hops({"a": "b", "b": "a"}, "a", "z")
# call: hops({"a": ["b"]}, "a", "b")
def hops(gateway, source, target, ttl=8):
    here, path = source, [source]
    while here != target:
        if ttl == 0:
            path.append("expired")
            break
        here = gateway.get(here)
        if here is None:
            path.append("unreachable")
            break
        path.append(here)
        ttl -= 1
    return path


# call: byte_words([0, 1, 2, 3])
# call: byte_words([255, 255, 1])
# call: byte_words([])
# call: byte_words([69, 0, 0, 60, 28, 70, 64, 0, 64, 6])
# call: byte_words([1], little=True)
# call: byte_words([1, None])
def byte_words(data, little=False):
    padded = list(data) + [0] * (len(data) % 2)
    highs, lows = padded[::2], padded[1::2]
    if little:
        highs, lows = lows, highs
    return [h * 256 + l for h, l in zip(highs, lows)]


# call: Backoff(2, 20).fail(4)
# call: Backoff(1, 5).fail(1)
# call: Backoff(3, 9).fail(0)
# call: Backoff(0.5, 10).fail(7)
# call: Backoff(-1, 5).fail(3)
# call: Backoff("1", 5).fail(2)
class Backoff:
    def __init__(self, first, cap):
        self._delay = first
        self.cap = cap
        self.waited = 0

    @property
    def delay(self):
        return min(self._delay, self.cap)

    def fail(self, times):
        delays = []
        for _ in range(times):
            self.waited += self.delay
            delays.append(self.delay)
            self._delay *= 2
        return delays, self.waited


# call: hex_dump("Hi there")
# call: hex_dump("abc", 2)
# call: hex_dump("")
# call: hex_dump("GET /index HTTP/1.1", 8)
# call: hex_dump("\x00\x7f\u00e9")
# call: hex_dump("abc", 0)
def hex_dump(text, per_row=4):
    rows = []
    for start in range(0, len(text), per_row):
        chunk = text[start : start + per_row]
        codes = " ".join("%02x" % ord(c) for c in chunk)
        shown = "".join(c if " " <= c <= "~" else "." for c in chunk)
        rows.append(f"{start:04d} {codes:<{per_row * 3 - 1}} {shown}")
    return rows


# call: count_by_status(["200 /a", "404 /b", "200 /c"])
# call: count_by_status(["500 /x"])
# call: count_by_status([])
# call: count_by_status(["200 /", "301 /old", "302 /o", "404 /x", "404 /y", "503 /z", "200 /q", "204 /r"])
# call: count_by_status(["700 /w"])
# call: count_by_status(["/no-status 200"])
from collections import Counter


def count_by_status(log):
    names = {2: "ok", 3: "moved", 4: "client", 5: "server"}
    counts = Counter(names[int(line.split()[0]) // 100] for line in log)
    return dict(sorted(counts.items()))


# call: parse_query("a=1&b=two")
# call: parse_query("?x=1&x=2&y")
# call: parse_query("")
# call: parse_query("q=hot+tea&lang=en&q=cold%20tea&page=3&debug&=odd")
# call: parse_query("a=%zz")
# call: parse_query(b"a=1")
def parse_query(query):
    def decode(text):
        head, *rest = text.replace("+", " ").split("%")
        return head + "".join(chr(int(r[:2], 16)) + r[2:] for r in rest)

    found = {}
    for pair in query.lstrip("?").split("&"):
        if pair:
            key, _, value = pair.partition("=")
            found.setdefault(decode(key), []).append(decode(value))
    return {k: v[0] if len(v) == 1 else v for k, v in found.items()}


# call: firewall([("deny", "10."), ("allow", "")], ["10.1.1.1", "8.8.8.8"])
# call: firewall([("allow", "192.168.")], ["192.168.0.9"])
# call: firewall([], ["1.2.3.4"])
# call: firewall([("allow", "10.0.0.1"), ("deny", "10.0."), ("allow", "10.")], ["10.0.0.1", "10.0.0.2", "10.9.9.9", "11.0.0.0", "10.0.0.10"])
# call: firewall([("drop", "")], ["5.5.5.5"])
# call: firewall([("allow",)], ["5.5.5.5"])
def firewall(rules, sources):
    verdicts = {}
    for source in sources:
        for action, prefix in rules:
            if source.startswith(prefix):
                verdicts[source] = action
                break
        else:
            verdicts[source] = "deny"
    return verdicts


# call: merge_routes({"a": 1}, {"a": 3, "b": 2})
# call: merge_routes({"x": 5}, {})
# call: merge_routes({}, {})
# call: merge_routes({"a": 4, "b": 9, "c": 1, "d": 7}, {"b": 2, "c": 5, "e": 3, "d": 6, "f": 0}, cost=1)
# call: merge_routes({"a": 1}, {"a": 0, "b": 1}, cost=-1)
# call: merge_routes({"a": "1"}, {"a": 1})
def merge_routes(mine, heard, cost=2):
    changed = []
    for node, distance in heard.items():
        through = distance + cost
        if node not in mine or through < mine[node]:
            mine[node] = through
            changed.append(node)
    return mine, changed


# call: pack_header(1, 2, 300)
# call: pack_header(15, 15, 65535)
# call: pack_header(0, 0, 0)
# call: pack_header(4, 5, 1500)
# call: pack_header(16, 1, 1)
# call: pack_header(1, 2, "3")
def pack_header(version, length, total):
    for value, bits in ((version, 4), (length, 4), (total, 16)):
        if value >> bits:
            raise OverflowError(f"{value} needs more than {bits} bits")
    word = version << 20 | length << 16 | total
    return [word >> shift & 255 for shift in (16, 8, 0)]


# call: unpack_header([69, 5, 220])
# call: unpack_header([0, 0, 1])
# call: unpack_header([255, 255, 255])
# call: unpack_header((20, 1, 2, 99, 98, 97))
# call: unpack_header([300, 1, 1])
# call: unpack_header([1, 2])
from collections import namedtuple

Header = namedtuple("Header", "version length total rest")


def unpack_header(data):
    first, high, low, *rest = data
    version, length = divmod(first, 16)
    header = Header(version, length, high << 8 | low, len(rest))
    return header._asdict() if header.rest == 0 else tuple(header)


# call: busiest_link([("a", "b", 10), ("b", "a", 5)])
# call: busiest_link([("x", "y", 1)])
# call: busiest_link([])
# call: busiest_link([("a", "b", 3), ("c", "d", 9), ("b", "a", 7), ("d", "c", 2), ("e", "a", 11), ("a", "e", 0)])
# call: busiest_link([("a", "a", 4)])
# call: busiest_link([("a", "b")])
def busiest_link(flows):
    load = {}
    for src, dst, size in flows:
        link = frozenset((src, dst))
        load[link] = load.get(link, 0) + size
    if load:
        link = max(load, key=load.get)
        return "-".join(sorted(link)), load[link]


# call: ttl_cache([("put", "a", 1, 3), ("get", "a", 2)])
# call: ttl_cache([("put", "a", 1, 3), ("get", "a", 9)])
# call: ttl_cache([])
# call: ttl_cache([("put", "a", 0, 5), ("put", "b", 1, 1), ("get", "b", 2), ("get", "a", 4), ("get", "b", 3), ("get", "c", 3), ("get", "a", 6)])
# call: ttl_cache([("put", "k", 5, 0), ("get", "k", 5)])
# call: ttl_cache([("del", "k", 5)])
def ttl_cache(events):
    expires = {}
    answers = []
    for event in events:
        match event:
            case ("put", name, now, life):
                expires[name] = now + life
            case ("get", name, now) if name in expires:
                if expires[name] >= now:
                    answers.append(f"{name} fresh")
                else:
                    del expires[name]
                    answers.append(f"{name} stale")
            case ("get", name, _):
                answers.append(f"{name} unknown")
            case _:
                raise ValueError(event[0])
    return answers


# call: mask_payload([1, 2, 3, 4, 5], [255])
# call: mask_payload([72, 105], [1, 2, 3])
# call: mask_payload([], [1])
# call: mask_payload([10, 20, 30, 40, 50, 60, 70, 80], [7, 11, 13])
# call: mask_payload([5, 5, 5], [5])
# call: mask_payload([1, 2], [])
def mask_payload(payload, key):
    masked = []
    for position, byte in enumerate(payload):
        masked.append(byte ^ key[position % len(key)])
    return masked


# call: frame_escape([1, 126, 2])
# call: frame_escape([125, 93])
# call: frame_escape([])
# call: frame_escape([126, 126, 125, 0, 1, 200, 126, 9])
# call: frame_escape([256])
# call: frame_escape(["a"])
def frame_escape(payload, flag=126, escape=125):
    framed = [flag]
    for byte in payload:
        if byte in (flag, escape):
            framed += escape, byte ^ 32
        elif not 0 <= byte < 256:
            raise ValueError(byte)
        else:
            framed.append(byte)
    framed.append(flag)
    return framed


# call: mac_name("a0:b1:C2:d3:e4:f5")
# call: mac_name("00-1b-44-11-3a-b7")
# call: mac_name("")
# call: mac_name("A0:B1:C2:D3:E4:F5", vendors={"a0b1c2": "acme", "001b44": "disko"})
# call: mac_name("ff:ff:ff:ff:ff:ff")
# call: mac_name("a0:b1")
def mac_name(address, vendors={"001b44": "disko"}):
    plain = address.lower().replace("-", "").replace(":", "")
    if len(plain) != 12:
        return f"bad address of {len(plain)} digits"
    if set(plain) == {"f"}:
        return "everyone"
    vendor = vendors.get(plain[:6], "unknown")
    return f"{vendor}/{int(plain[6:], 16)}"


# call: route_for({"10.": "east", "10.1.": "west"}, "10.1.4.4")
# call: route_for({"10.": "east", "": "home"}, "8.8.8.8")
# call: route_for({}, "1.1.1.1")
# call: route_for({"1.": "a", "192.": "c", "192.168.": "d", "192.168.7.": "e"}, "192.168.7.30")
# call: route_for({"9.": "x"}, "10.0.0.1")
# call: route_for({"10.": "x"}, 10.0)
def route_for(routes, target):
    """Try the longest prefix first, then drop one part at a time."""
    prefix = target
    while prefix:
        if prefix in routes:
            return routes[prefix]
        shorter = prefix.rstrip(".").rpartition(".")
        prefix = shorter[0] + shorter[1]
    return routes.get("", "no route")


# call: GoBack(5, 2).send({3})
# call: GoBack(3, 3).send(set())
# call: GoBack(0, 1).send(set())
# call: GoBack(7, 3).send({2, 5, 6})
# call: GoBack(2, 5).send([9])
# call: GoBack(3, 2).send(None)
class GoBack:
    """Frames go in windows; a lost frame makes its whole window go again, once."""

    def __init__(self, total, window):
        self.frames = list(range(1, total + 1))
        self.window = window
        self.trace = []

    def send(self, lost):
        lost = set(lost)
        while self.frames:
            burst = self.frames[:self.window]
            bad = lost.intersection(burst)
            lost -= bad
            self.trace.append((burst[0], burst[-1], len(bad)))
            if not bad:
                del self.frames[:self.window]
        return self.trace


# call: link_to("site.org", "a", "b")
# call: link_to("site.org", "search", q="tea pot", page=2)
# call: link_to("")
# call: link_to("api.example", "v1", "users", "17", sort="name", limit=50, empty=None, deep="yes")
# call: link_to("x.y", "/lead/", "", "tail/")
# call: link_to("x.y", 5)
def link_to(host, *parts, scheme="https", **query):
    url = scheme + "://" + host
    for part in parts:
        url += "/" + part.strip("/")
    sep = "?"
    for key in sorted(query):
        if query[key] is None:
            continue
        url += f"{sep}{key}={query[key]}".replace(" ", "+")
        sep = "&"
    return url


# call: address_class("10.1.2.3")
# call: address_class("127.0.0.1")
# call: address_class("")
# call: address_class("172.31.255.254")
# call: address_class("224.0.0.251")
# call: address_class("10.1.2.x")
def address_class(address):
    parts = address.split(".")
    if len(parts) != 4:
        return "malformed"
    a, b, *_ = map(int, parts)
    if a == 127:
        return "loopback"
    if a == 10 or (a, b) == (192, 168) or (a == 172 and 16 <= b < 32):
        return "private"
    return "multicast" if 224 <= a <= 239 else "public"


# call: mask_bits("255.255.255.0")
# call: mask_bits("255.255.240.0")
# call: mask_bits("0.0.0.0")
# call: mask_bits("255.255.255.255")
# call: mask_bits("255.0.255.0")
# call: mask_bits("255.256.0.0")
def mask_bits(mask):
    bits = "".join(format(int(part), "08b") for part in mask.split("."))
    ones = bits.find("0")
    if ones < 0:
        ones = len(bits)
    if "1" in bits[ones:]:
        raise ValueError(f"hole in mask after {ones} bits")
    return ones


# call: drain([3, 1, 2], 2)
# call: drain([1], 5)
# call: drain([], 1)
# call: drain([4, 4, 1, 0, 6, 2, 3, 1], 3)
# call: drain([2, 2], 2)
# call: drain([1, 1], 0)
def drain(arrivals, rate, limit=6):
    queue = 0
    dropped = 0
    sizes = []
    for n in arrivals:
        queue += n
        if queue > limit:
            dropped += queue - limit
            queue = limit
        queue = max(0, queue - rate)
        sizes.append(queue)
    while rate > 0 and queue > 0:
        queue -= rate
        sizes.append(queue if queue > 0 else 0)
    return {"sizes": sizes, "dropped": dropped}


# call: handshake(["SYN", "SYN-ACK", "ACK"])
# call: handshake(["SYN", "RST"])
# call: handshake([])
# call: handshake(["SYN", "SYN-ACK", "ACK", "DATA", "DATA", "FIN", "DATA", "SYN"])
# call: handshake(["ACK"])
# call: handshake("SYN")
MOVES = {
    ("closed", "SYN"): "syn-sent",
    ("syn-sent", "SYN-ACK"): "answered",
    ("answered", "ACK"): "open",
    ("open", "DATA"): "open",
    ("open", "FIN"): "closed",
}


def handshake(messages, state="closed"):
    history = [state]
    for message in messages:
        state = MOVES.get((state, message), "error")
        history.append(state)
        if state == "error":
            return history, message
    return history, None


# call: bandwidth_text(1500)
# call: bandwidth_text(2500000)
# call: bandwidth_text(0)
# call: bandwidth_text(987654321012)
# call: bandwidth_text(999.96)
# call: bandwidth_text("10")
def bandwidth_text(bits, units=("bit/s", "kbit/s", "Mbit/s", "Gbit/s")):
    for unit in units:
        if bits < 1000 or unit == units[-1]:
            return f"{bits:,.1f} {unit}"
        bits /= 1000


# call: add_parity([[1, 0, 1], [1, 1, 1]])
# call: add_parity([[0]])
# call: add_parity([])
# call: add_parity([[1, 1, 0, 1], [0, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 1]])
# call: add_parity([[1, 0], [1]])
# call: add_parity([[1, "0"]])
def add_parity(block):
    with_parity = [row + [sum(row) % 2] for row in block]
    bottom = []
    for column in zip(*with_parity):
        bit = 0
        for cell in column:
            bit ^= cell
        bottom.append(bit)
    return with_parity + [bottom]


# call: Router("r1").learn("10.0", "r2").learn("10.1", "r3").forward(["10.0", "9.9"])
# call: Router("a").learn("x", "b").forward(["x", "x"])
# call: Router("a").forward([])
# call: Router("core").learn("n1", "e").learn("n2", "w").learn("n1", "s").forward(["n1", "n2", "n3", "n1", "n3", "n2"])
# call: Router("a").learn("a", "a").forward(["a"])
# call: Router("a").learn(["x"], "b")
class Router:
    def __init__(self, name):
        self.name = name
        self.table = {}
        self.count = {"sent": 0, "lost": 0}

    def learn(self, network, hop):
        if hop == self.name:
            return self
        self.table[network] = hop
        return self

    def forward(self, targets):
        out = []
        for target in targets:
            hop = self.table.get(target)
            self.count["sent" if hop else "lost"] += 1
            out.append(hop)
        return out, self.count


# call: mtu_split(3500, 1500)
# call: mtu_split(1000, 1500)
# call: mtu_split(0, 100)
# call: mtu_split(9000, 1280, header=40)
# call: mtu_split(100, 30, header=10)
# call: mtu_split(100, 20)
def mtu_split(size, mtu, header=20):
    room = (mtu - header) // 8 * 8
    if room <= 0:
        raise ValueError("no room for data")
    pieces, offset = [], 0
    while offset < size:
        part = min(room, size - offset)
        offset += part
        pieces.append((offset - part, part, offset < size))
    return pieces


# call: clean_headers("Host: a.b\nAccept: text")
# call: clean_headers("X-Id: 7")
# call: clean_headers("")
# call: clean_headers("HOST: a\naccept: x\nAccept: y\n folded value\nCookie: k=v; w=z\n\nbody: no")
# call: clean_headers(" starts folded")
# call: clean_headers("no colon")
def clean_headers(raw):
    headers = {}
    last = None
    for line in raw.split("\n"):
        if not line:
            break
        if line[0] == " ":
            headers[last] += line
            continue
        name, value = line.split(":", 1)
        last = name.strip().title()
        if last in headers:
            headers[last] += "," + value
        else:
            headers[last] = value.strip()
    return headers


# call: ping_report([12.5, 10.0, None, 14.5])
# call: ping_report([5])
# call: ping_report([])
# call: ping_report([20.1, 22.4, None, 19.9, None, 25.0, 21.3, 20.0])
# call: ping_report([None, None])
# call: ping_report(["12", 3])
def ping_report(times):
    answered = [t for t in times if t is not None]
    lost = len(times) - len(answered)
    try:
        mean = sum(answered) / len(answered)
        text = f"min {min(answered):.1f} avg {mean:.2f} max {max(answered):.1f}"
    except ZeroDivisionError:
        text = "no answer"
    return f"{text}, {lost}/{len(times)} lost"


# call: cached_lookup(["a.org", "b.org", "a.org"])
# call: cached_lookup(["c.net"])
# call: cached_lookup([])
# call: cached_lookup(["a.org", "b.org", "c.org", "a.org", "c.org", "d.com", "b.org"])
# call: cached_lookup(["", ""])
# call: cached_lookup([None])
def remember(function):
    known = {}

    def wrapper(name):
        if name in known:
            wrapper.hits += 1
        else:
            known[name] = function(name)
        return known[name]

    wrapper.hits = 0
    return wrapper


def cached_lookup(names):
    @remember
    def resolve(name):
        total = sum(ord(c) for c in name)
        return "10.0.%d.%d" % divmod(total, 256)

    return [resolve(n) for n in names], resolve.hits


# call: subscribe("news", "ann")
# call: subscribe("news", "bob", {"news": ["ann"]})
# call: subscribe("", "")
# call: subscribe("jobs", "eve", {"news": ["ann", "bob", "cy"], "jobs": ["dee", "eve"], "chat": []})
# call: subscribe("chat", "ann", {"chat": []})
# call: subscribe("chat", "ann", {"chat": None})
def subscribe(channel, user, channels={}):
    # the same dict serves all calls that give none
    members = channels.setdefault(channel, [])
    if user not in members:
        members.append(user)
    copy = dict(channels)
    copy["last"] = members
    members.append("*")
    return copy


# call: dns_zone("www.shop.example.org", {"org": 1, "example.org": 2})
# call: dns_zone("org", {"org": 1})
# call: dns_zone("", {})
# call: dns_zone("a.b.c.d.e.net", {"net": "root", "d.e.net": "east", "b.c.d.e.net": "deep", "z.net": "no"})
# call: dns_zone("lonely.host", {"org": 1})
# call: dns_zone(None, {"org": 1})
def dns_zone(name, zones):
    labels = name.split(".")
    for skip in range(len(labels)):
        suffix = ".".join(labels[skip:])
        if (zone := zones.get(suffix)) is not None:
            return zone, labels[:skip][::-1]
    return None, labels


# call: decode_varint([150, 1])
# call: decode_varint([5])
# call: decode_varint([])
# call: decode_varint([255, 255, 3, 1, 172, 2])
# call: decode_varint([128])
# call: decode_varint(["1"])
def decode_varint(data):
    numbers = []
    value = shift = 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        if byte & 0x80:
            shift += 7
        else:
            numbers.append(value)
            value, shift = 0, 0
    if shift:
        numbers.append(("cut off", value))
    return numbers


# call: encode_varint(300)
# call: encode_varint(127)
# call: encode_varint(0)
# call: encode_varint(123456789)
# call: encode_varint(128)
# call: encode_varint(1.5)
def encode_varint(number):
    if number < 0:
        raise ValueError("negative")
    groups = [number & 127]
    while number := number >> 7:
        groups[-1] |= 128
        groups.append(number & 127)
    return groups


# call: session_ids(["ann", "bob"])
# call: session_ids(["x"], salt=9)
# call: session_ids([])
# call: session_ids(["anna", "berta", "carl", "dora", "emil"], salt=77)
# call: session_ids(["ab", "ba"])
# call: session_ids([7])
from functools import reduce


def session_ids(users, salt=5):
    def mix(state, letter):
        return (state << 5 ^ state >> 3 ^ ord(letter)) & 0xFFFF

    return {user: f"{reduce(mix, user, salt):04X}" for user in users}


# call: trace_latency({"lan": 1, "isp": 9, "cdn": 14})
# call: trace_latency({"lan": 2})
# call: trace_latency({})
# call: trace_latency({"home": 1.5, "street": 4, "city": 9.25, "sea": 88, "far": 86.5, "host": 91})
# call: trace_latency({"a": 5, "b": 5})
# call: trace_latency({"a": "5"})
def trace_latency(stations):
    steps = []
    before = 0
    for n, (name, total) in enumerate(stations.items(), start=1):
        step = total - before
        note = " (?)" if step < 0 else ""
        steps.append(f"{n:>2} {name:<6} {step:+.1f}{note}")
        before = total
    return steps


# call: Link(2).transmit("hello")
# call: Link(1).transmit("abc")
# call: Link(3).transmit("")
# call: Link(4).transmit("packets over a thin wire")
# call: Link(9).transmit("short")
# call: Link(0).transmit("x")
class Link:
    def __init__(self, size):
        self.size = size

    def chunks(self, message):
        while message:
            yield message[:self.size]
            if self.size < 1:
                raise ValueError("chunk of size %d" % self.size)
            message = message[self.size:]

    def deliver(self, chunk):
        return chunk

    def transmit(self, message):
        return [self.deliver(c) for c in self.chunks(message)]


# call: Scrambler(5).send([1, 2, 3])
# call: Scrambler(200).send([200])
# call: Scrambler(0).send([])
# call: Scrambler(99).send([72, 101, 121, 44, 32, 121, 111, 117])
# call: Scrambler(-3).send([0, 0, 0])
# call: Scrambler(7).send(["a"])
class Scrambler:
    """Each byte that passes also turns the key."""

    def __init__(self, key):
        self.key = key & 255

    def turn(self, byte):
        hidden = byte ^ self.key
        self.key = (self.key * 5 + hidden + 1) & 255
        return hidden

    def send(self, data):
        return [self.turn(byte) for byte in data], self.key


# call: BadLine(3).carry("hello")
# call: BadLine(1).carry("abc")
# call: BadLine(2).carry("")
# call: BadLine(4).carry("every fourth letter is lost")
# call: BadLine(100).carry("calm")
# call: BadLine(0).carry("x")
class Line:
    def __init__(self):
        self.sent = 0

    def carry(self, message):
        self.sent += len(message)
        return message


class BadLine(Line):
    def __init__(self, every):
        super().__init__()
        self.every = every

    def carry(self, message):
        signs = list(super().carry(message))
        lost = len(signs[self.every - 1::self.every])
        signs[self.every - 1::self.every] = "_" * lost
        return "".join(signs), self.sent - lost


# call: quorum({"n1": "yes", "n2": "yes", "n3": "no"})
# call: quorum({"a": "yes", "b": "no"})
# call: quorum({})
# call: quorum({"n1": "yes", "n2": None, "n3": "no", "n4": "yes", "n5": "yes", "n6": None, "n7": "yes"})
# call: quorum({"a": None})
# call: quorum(["yes"])
def quorum(votes: dict) -> str:
    needed = len(votes) // 2 + 1
    open_votes = 0
    for node, vote in votes.items():
        if vote is None:
            open_votes += 1
        elif vote == "yes":
            needed -= 1
        if needed == 0:
            return f"decided at {node}"
    return "waiting" if needed <= open_votes else "rejected"


# call: gossip({"a": ["b"], "b": ["c"], "c": []}, "a", 2)
# call: gossip({"a": ["b", "c"], "b": [], "c": []}, "a", 1)
# call: gossip({}, "a", 0)
# call: gossip({"a": ["b"], "b": ["a", "c"], "c": ["d", "e"], "d": ["a"], "e": ["f"], "f": []}, "b", 3)
# call: gossip({"x": ["y"]}, "z", 1)
# call: gossip({"a": ["b"]}, "a", 2)
def gossip(friends, first, rounds):
    told = {first}
    diary = []
    for n in range(rounds):
        news = {other for node in told for other in friends[node]} - told
        if not news:
            diary.append(f"round {n + 1}: silence")
            break
        diary.append(sorted(news))
        told |= news
    return diary


# call: next_server(["s1", "s2"], [])
# call: next_server(["s1", "s2", "s3"], ["s1", "s2", "s1"], weights={"s1": 3})
# call: next_server([], ["s1"])
# call: next_server(["a", "b", "c", "d"], ["a", "b", "c", "c", "d", "a", "b", "d"], weights={"b": 4, "c": 2})
# call: next_server(["only"], ["gone", "gone"])
# call: next_server(["a", "b"], ["a"], weights={"a": 0})
def next_server(servers, past, weights=None):
    weights = weights or {}
    choice, lowest = None, float("inf")
    for server in servers:
        load = past.count(server) / weights.get(server, 1)
        if load < lowest:
            choice, lowest = server, load
    return choice, None if choice is None else round(lowest, 3)


# call: tokenBucket([1, 1, 1, 5], 2, 1)
# call: tokenBucket([0], 1, 1)
# call: tokenBucket([], 3, 1)
# call: tokenBucket([0, 0, 0, 1, 1, 2, 6, 6, 6, 6], 3, 1)
# call: tokenBucket([5, 3], 1, 0.5)
# call: tokenBucket([1, "2"], 1, 1)
def tokenBucket(arrivalTimes: list, capacity: int, rate: float) -> list:
    tokens = capacity
    lastTime = 0
    verdicts = []
    for now in arrivalTimes:
        tokens = min(capacity, tokens + (now - lastTime) * rate)
        lastTime = now
        if tokens >= 1:
            tokens -= 1
            verdicts.append("pass")
        else:
            verdicts.append("drop")
    return verdicts


# call: cable_bill({"a-b": 4, "b-c": 12}, {"a": "hall", "b": "hall", "c": "lab"})
# call: cable_bill({"x-y": 1}, {"x": "r1", "y": "r2"})
# call: cable_bill({}, {})
# call: cable_bill({"a-b": 7, "b-c": 30, "c-d": 3, "a-d": 55, "d-e": 2}, {"a": "r1", "b": "r1", "c": "r2", "d": "r2", "e": "r1"})
# call: cable_bill({"a-a": 1}, {"a": "r1"})
# call: cable_bill({"a-z": 1}, {"a": "r1"})
def cable_bill(cables, rooms, *, inside=2, between=5):
    bill = 0
    long_ones = []
    for cable, metres in cables.items():
        left, right = cable.split("-")
        price = inside if rooms[left] == rooms[right] else between
        if metres > 25:
            long_ones.append(cable)
            price += 1
        bill += metres * price
    return bill, long_ones


# call: flood_report(["a>b", "b>c", "b>d"], "a")
# call: flood_report(["a>a"], "a")
# call: flood_report([], "q")
# call: flood_report(["hub>n1", "n1>n3", "hub>n2", "n3>n4", "n5>n6", "n2>n3", "n4>n5"], "hub")
# call: flood_report(["b>c", "a>b"], "a")
# call: flood_report(["ab"], "a")
def flood_report(forwards, start):
    """One pass over the log: a line counts only when its sender has been reached before."""
    hop = {start: 0}
    wasted = 0
    for line in forwards:
        sender, receiver = line.split(">")
        if sender not in hop:
            wasted += 1
        elif receiver in hop:
            hop[receiver] = min(hop[receiver], hop[sender] + 1)
        else:
            hop[receiver] = hop[sender] + 1
    return hop, wasted
