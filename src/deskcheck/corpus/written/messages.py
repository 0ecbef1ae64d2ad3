# call: unread_for("ann", [{"from": "bo", "seen": []}, {"from": "ann", "seen": []}])
# call: unread_for("bo", [{"from": "cy", "seen": ["bo"]}])
# call: unread_for("ann", [])
# call: unread_for("ann", [{"from": "bo", "seen": ["cy"]}, {"from": "cy", "seen": ["ann"]}, {"from": "dee", "seen": []}, {"from": "bo", "seen": ["ann", "cy"]}])
# call: unread_for("", [{"from": "", "seen": []}])
# call: unread_for("ann", [{"from": "bo"}])
def unread_for(user, chat):
    count = 0
    for message in chat:
        if message["from"] == user:
            continue
        if user not in message["seen"]:
            count += 1
    return count


# call: reply_count(["hi", ["hello", ["yo"]]])
# call: reply_count(["alone"])
# call: reply_count([])
# call: reply_count(["q", ["a1", ["c1"], ["c2", ["d"]]], ["a2"], ["a3", ["c3"]]])
# call: reply_count([["odd"], "late"])
# call: reply_count(None)
def reply_count(thread):
    """A thread is [text, reply, reply ..]; each reply is a thread."""
    total = 0
    for part in thread:
        if isinstance(part, list):
            total += 1 + reply_count(part)
    return total


# call: show_thread(["hi", ["hello"], ["hey", ["ho"]]])
# call: show_thread(["x"], mark="-")
# call: show_thread([""])
# call: show_thread(["lunch?", ["yes", ["where?", ["at Bo's"]]], ["no"]], mark="..")
# call: show_thread(["a", [], ["b"]])
# call: show_thread(["a", "b"])
def show_thread(thread, mark="  ", depth=0):
    text, *replies = thread
    lines = [mark * depth + text]
    for r in replies:
        lines += show_thread(r, mark, depth + 1)
    return lines


# call: Inbox().take("ann: hi", "bo: yo")
# call: Inbox(1).take("ann: hi", "ann: again")
# call: Inbox().take()
# call: Inbox(3).take("a: 1", "b: 2", "a: 3", "c: 4", "d: 5", "b: 6")
# call: Inbox().take("no sender")
# call: Inbox().take("a: x: y", 3)
class Inbox:
    def __init__(self, room=2):
        self.room = room
        self.messages = []
        self.dropped = 0

    def take(self, *lines):
        for line in lines:
            sender, colon, text = line.partition(": ")
            if not colon:
                sender, text = "?", line
            self.messages.append((sender, text))
            while len(self.messages) > self.room:
                self.messages.pop(0)
                self.dropped += 1
        return self.messages, self.dropped


# call: run_command("/join books")
# call: run_command("hello all")
# call: run_command("")
# call: run_command("/msg ann are you coming to the meeting at four?")
# call: run_command("/kick bo cy dee")
# call: run_command(7)
def run_command(line):
    match line.split():
        case ["/join", room]:
            return f"joins #{room}"
        case ["/msg", person, *words] if words:
            return f"to {person}: {' '.join(words)}"
        case ["/kick", *people]:
            return [f"kicks {p}" for p in people]
        case [first, *_] if first.startswith("/"):
            return f"unknown {first[1:]}"
        case []:
            return None
        case words:
            return f"says {len(words)} words"


# call: merge_chats([{"t": 1, "m": "a"}], [{"t": 2, "m": "b"}])
# call: merge_chats([{"t": 3, "m": "x"}], [{"t": 3, "m": "y"}])
# call: merge_chats([], [])
# call: merge_chats([{"t": 1, "m": "a"}, {"t": 5, "m": "b"}, {"t": 9, "m": "c"}], [{"t": 2, "m": "d"}, {"t": 4, "m": "e"}, {"t": 7, "m": "f"}])
# call: merge_chats([], [{"t": 0, "m": "z"}])
# call: merge_chats([{"t": 1, "m": "a"}], [{"m": "b"}])
def merge_chats(left, right):
    i = j = 0
    story = ""
    while i < len(left) and j < len(right):
        if left[i]["t"] <= right[j]["t"]:
            story += left[i]["m"]
            i += 1
        else:
            story += right[j]["m"].upper()
            j += 1
    for rest in left[i:] + right[j:]:
        story += "+" + rest["m"]
    return story


# call: typing_text(["ann"])
# call: typing_text(["ann", "bo"])
# call: typing_text([])
# call: typing_text(["ann", "bo", "cy", "dee", "eve"])
# call: typing_text(("ann", "bo", "cy"))
# call: typing_text({"ann": 1, "bo": 2, "cy": 3})
def typing_text(people):
    match people:
        case []:
            return ""
        case [one]:
            return one + " is typing"
        case [one, two]:
            return f"{one} and {two} are typing"
        case [one, *others]:
            return f"{one} and {len(others)} others are typing"
    return "somebody is typing"


# call: split_long("hello there ann", 8)
# call: split_long("short", 20)
# call: split_long("", 5)
# call: split_long("the bus is late again so start without me please", 12)
# call: split_long("incomprehensible", 5)
# call: split_long("one two", 0)
def split_long(text, limit):
    parts = [""]
    for word in text.split():
        trial = (parts[-1] + " " + word).strip()
        if len(trial) <= limit:
            parts[-1] = trial
        else:
            parts.append(word)
    return [f"({i}/{len(parts)}) {p}" for i, p in enumerate(parts, 1)]


# call: react({"text": "hi"}, "ann", "+1")
# call: react({"text": "hi", "likes": {"+1": ["ann"]}}, "ann", "+1")
# call: react({}, "", "")
# call: react({"text": "news", "likes": {"+1": ["bo", "cy"], "wow": ["dee", "ann"], "-1": ["eve"]}}, "ann", "+1")
# call: react({"likes": {"wow": ["ann", "ann"]}}, "ann", "wow")
# call: react({"likes": None}, "ann", "wow")
def react(message, who, sign):
    likes = message.setdefault("likes", {})
    fans = likes.setdefault(sign, [])
    if who in fans:
        fans.remove(who)
        if not fans:
            del likes[sign]
    else:
        fans.append(who)
    return message


# call: fresh_first([("ann", 3), ("bo", 9)], {"ann"})
# call: fresh_first([("cy", 1)], set())
# call: fresh_first([], set())
# call: fresh_first([("work", 40), ("home", 12), ("club", 55), ("mum", 3), ("news", 60)], {"mum", "club"})
# call: fresh_first([("a", 5), ("b", 5)], {"c"})
# call: fresh_first([("a", 5), ("b", "6")], {"a", "b"})
def fresh_first(chats, pinned):
    ordered = sorted(chats, key=lambda c: (c[0] not in pinned, -c[1]))
    return [("*" if name in pinned else "") + name for name, _ in ordered]


# call: chat_days([("mon", "hi"), ("mon", "yo"), ("tue", "ok")])
# call: chat_days([("fri", "a")])
# call: chat_days([])
# call: chat_days([("sat", "a"), ("sun", "b"), ("sat", "c"), ("sat", "d"), ("mon", "e"), ("mon", "f")])
# call: chat_days([("", "x"), (None, "y")])
# call: chat_days(["mon"])
def chat_days(messages):
    today = None
    for day, text in messages:
        if day != today:
            yield f"-- {day} --"
            today = day
        yield text


# call: Channel("books").post("ann", "hi")
# call: Channel("x").post("ann", "a")
# call: Channel("").post("", "")
# call: Channel("news").post("editor", "The harbour bridge is closed until monday")
# call: Channel("den", mute=["bo"]).post("bo", "psst")
# call: Channel("den").post("ann", None)
class Channel:
    def __init__(self, name, mute=()):
        self.name, self.mute, self.log = name, set(mute), []

    def __repr__(self):
        return f"#{self.name}{self.log}"

    def post(self, who, text):
        if who in self.mute:
            self.log.append(f"({who} muted)")
            return self
        self.log.append(who[:1].upper() + ">" + text[:20])
        return self


# call: mute_words("darn this bus", {"darn"})
# call: mute_words("Heck, no!", {"heck"})
# call: mute_words("", {"x"})
# call: mute_words("oh my gosh, this darn printer is DARN slow, gosh!", {"darn", "gosh"})
# call: mute_words("darning socks", {"darn"})
# call: mute_words("a b", "ab")
def mute_words(text, banned):
    out = []
    for word in text.split(" "):
        bare = word.strip(",.!?")
        if bare.lower() in banned:
            stars = bare[:1] + "*" * (len(bare) - 1)
            word = word.replace(bare, stars)
        out.append(word)
    return " ".join(out)


# call: delivery({"ann": "read", "bo": "sent"})
# call: delivery({"ann": "read"})
# call: delivery({})
# call: delivery({"a": "read", "b": "got", "c": "read", "d": "got", "e": "got", "f": "read"})
# call: delivery({"a": "lost", "b": "read"})
# call: delivery({"a": None})
def delivery(states):
    rank = ["lost", "sent", "got", "read"]
    worst = min((rank.index(s) for s in states.values()), default=-1)
    tick = {0: "!", 1: "v", 2: "vv", 3: "VV"}.get(worst, "")
    late = [who for who, s in states.items() if s in rank[:2]]
    return tick, late


# call: forward({"from": "ann", "text": "hi"}, "bo")
# call: forward({"from": "ann", "text": "hi", "path": ["cy"]}, "bo", "dee")
# call: forward({"from": "ann", "text": ""})
# call: forward({"from": "a", "text": "chain letter", "path": ["b"]}, "c", "d", "e", "f")
# call: forward({"from": "ann", "text": "hi", "path": ["bo"]}, "bo")
# call: forward({"text": "hi"}, "bo")
def forward(message, *people):
    copy = dict(message)              # the list inside is still shared
    copy.setdefault("path", [])
    for p in people:
        if p in copy["path"]:
            copy["loop"] = True
            break
        copy["path"].append(p)
    copy["text"] = f"FW({len(copy['path'])}) {message['text']} by {message['from']}"
    return message.get("path"), copy


# call: quiet_hours([(22, "late"), (9, "morning")])
# call: quiet_hours([(7, "x")], 7, 8)
# call: quiet_hours([])
# call: quiet_hours([(0, "a"), (6, "b"), (7, "c"), (21, "d"), (22, "e"), (23, "f"), (12, "g")])
# call: quiet_hours([(12, "x")], 5, 5)
# call: quiet_hours([("9", "x")])
def quiet_hours(messages, start=22, end=7):
    now, later = [], []
    for hour, text in messages:
        if start <= end:
            silent = start <= hour < end
        else:
            silent = hour >= start or hour < end
        (later if silent else now).append(text)
    return {"now": now, "later": later}


# call: poll_line("Lunch?", {"pizza": 2, "soup": 1})
# call: poll_line("Go?", {"yes": 0, "no": 0})
# call: poll_line("", {})
# call: poll_line("Day for the trip", {"monday": 3, "tuesday": 5, "friday": 5, "sunday": 2})
# call: poll_line("One", {"only": 1})
# call: poll_line("Bad", {"a": None})
def poll_line(question, votes):
    total = sum(votes.values())
    if not total:
        return f"{question} (no votes)"
    top = max(votes.values())
    shown = [f"{o.upper() if v == top else o} {v / total:.0%}" for o, v in votes.items()]
    return f"{question} {' | '.join(shown)}"


# call: thread_depth({"id": 3, "to": {"id": 2, "to": {"id": 1}}})
# call: thread_depth({"id": 1})
# call: thread_depth({})
# call: thread_depth({"id": 9, "to": {"id": 7, "to": {"id": 4, "to": {"id": 2, "to": {"id": 1, "to": None}}}}})
# call: thread_depth({"id": 5, "to": {}})
# call: thread_depth([1])
def thread_depth(message):
    trail = []
    while message:
        trail.append(message.get("id", "?"))
        message = message.get("to")
    return len(trail), "<-".join(map(str, trail))


# call: edit_history("helo", ["hello", "hello!"])
# call: edit_history("a", [])
# call: edit_history("", [""])
# call: edit_history("see you at 5", ["see you at 6", "see you at 6", "see you later", "bye"])
# call: edit_history("x", [None, "y"])
# call: edit_history("x", "yz")
def edit_history(first, edits):
    versions = [first]
    for new in edits:
        if new is None:
            versions.append("(deleted)")
            break
        if new == versions[-1]:
            continue
        versions.append(new)
    else:
        return versions[-1], len(versions) - 1
    return versions


# call: emoji_names("ok :thumb:")
# call: emoji_names(":heart::heart:")
# call: emoji_names("")
# call: emoji_names("at 10:30: bring :cake: and :tea: or :unknown: things")
# call: emoji_names("::")
# call: emoji_names(":tea: é :cake")
def emoji_names(text):
    signs = {"thumb": "+1", "heart": "<3", "cake": "[cake]", "tea": "c[_]"}
    out, open_name = "", None
    for ch in text:
        if ch == ":":
            if open_name is None:
                open_name = ""
                continue
            out += signs.get(open_name, f":{open_name}:")
            open_name = None
        elif open_name is not None:
            open_name += ch
        else:
            out += ch
    return out if open_name is None else f"{out}:{open_name}"


# call: last_seen([("ann", 5), ("bo", 7), ("ann", 9)], 10)
# call: last_seen([("cy", 10)], 10)
# call: last_seen([], 3)
# call: last_seen([("ann", 100), ("bo", 30), ("cy", 119), ("dee", 61), ("bo", 59), ("eve", 0)], 120)
# call: last_seen([("ann", 12)], 10)
# call: last_seen([("ann", "now")], 10)
def last_seen(events, now):
    latest = dict(events)
    words = {}
    for who, at in latest.items():
        ago = now - at
        if ago < 0:
            words[who] = "from the future"
        elif ago == 0:
            words[who] = "online"
        elif ago < 60:
            words[who] = f"{ago} min"
        else:
            words[who] = f"{ago // 60} h {ago % 60:02d}"
    return words


# call: UnreadBook({"work": 4, "home": 1}).open("work")
# call: UnreadBook().arrive("home")
# call: UnreadBook(cap=2).arrive("x", 5)
# call: UnreadBook({"club": 98}).arrive("club", 7)
# call: UnreadBook({"a": 1}).open("b")
# call: UnreadBook().arrive("work", "two")
class UnreadBook:
    def __init__(self, start=None, cap=99):
        self.counts = start or {}
        self.cap = cap

    def __repr__(self):
        shown = {k: v if v <= self.cap else f"{self.cap}+" for k, v in self.counts.items()}
        return f"UnreadBook({shown})"

    def arrive(self, chat, n=1):
        self.counts[chat] = self.counts.get(chat, 0) + n
        return self

    def open(self, chat):
        return self.counts.pop(chat, 0), self


# call: dedupe_echo(["hi", "hi", "yo"])
# call: dedupe_echo(["a"])
# call: dedupe_echo([])
# call: dedupe_echo(["ok", "OK", "ok ", "no", "no", "no", "ok", "yes", "YES"])
# call: dedupe_echo(["", ""])
# call: dedupe_echo(["a", None])
def dedupe_echo(lines):
    kept = []
    times = 1
    for line in lines:
        if kept and line.strip().lower() == kept[-1].partition(" x")[0].lower():
            times += 1
            kept[-1] = f"{kept[-1].partition(' x')[0]} x{times}"
        else:
            kept.append(line)
            times = 1
    return kept


# call: roles_first({"ann": "admin", "bo": "guest"})
# call: roles_first({"cy": "guest"})
# call: roles_first({})
# call: roles_first({"eve": "guest", "dee": "admin", "ann": "guest", "bo": "helper", "cy": "owner"})
# call: roles_first({"x": "robot"})
# call: roles_first({"x": "guest", 5: "guest"})
def roles_first(members):
    groups = {"owner": [], "admin": [], "helper": [], "guest": []}
    for name in sorted(members):
        groups[members[name]].append(name)
    return {role: names for role, names in groups.items() if names}


# call: route_event({"type": "msg", "from": "ann", "text": "hi"})
# call: route_event({"type": "leave", "who": "bo"})
# call: route_event({})
# call: route_event({"type": "msg", "from": "cy", "text": "a long story about boats", "to": ["dee", "eve"]})
# call: route_event({"type": "move", "at": (3, 4)})
# call: route_event(["msg"])
def route_event(event):
    match event:
        case {"type": "msg", "from": who, "text": str(text), "to": [first, *more]}:
            return f"{who} to {first}+{len(more)}: {text[:6]}"
        case {"type": "msg", "from": who, "text": text}:
            return f"{who}: {text}"
        case {"type": "join" | "leave" as kind, "who": who}:
            return f"{who} {kind}s"
        case {"type": str(other), **rest}:
            return other, sorted(rest)
        case dict():
            return "empty" if not event else "no type"
        case _:
            raise TypeError(f"no event: {event!r}")


# call: read_until([1, 2, 3], 2)
# call: read_until([5], 9)
# call: read_until([], 0)
# call: read_until([11, 12, 15, 18, 20, 21, 30], 19)
# call: read_until([3, 1, 2], 1)
# call: read_until([1, "2"], 1)
def read_until(ids, mark):
    fresh = iter(ids)
    for i in fresh:
        if i > mark:
            break
    return sum(1 for _ in fresh)      # the one that stopped the loop is gone


# call: chunks_from_stream(["he", "llo\nyo", "u\n"])
# call: chunks_from_stream(["no end"])
# call: chunks_from_stream([])
# call: chunks_from_stream(["a", "\n", "\nb\nc", "", "d\ne", "f\n", "tail"])
# call: chunks_from_stream(["\n"])
# call: chunks_from_stream(["a\n", None])
def chunks_from_stream(pieces):
    rest = ""
    for piece in pieces:
        *full, rest = (rest + piece).split("\n")
        yield from full
    if rest:
        yield rest + "~"


# call: shared_groups("ann", "bo", {"a": ["ann", "bo"], "b": ["bo"]})
# call: shared_groups("ann", "ann", {"a": ["ann"]})
# call: shared_groups("ann", "bo", {})
# call: shared_groups("ann", "cy", {"tea": ["ann", "cy", "bo"], "run": ["cy", "ann"], "art": ["ann"], "sea": ["dee", "cy", "eve", "ann"]})
# call: shared_groups("x", "y", {"a": "xyz"})
# call: shared_groups("x", "y", {"a": None})
def shared_groups(one, other, groups):
    both = {one, other}
    hits = [(len(people), g) for g, people in groups.items() if both <= set(people)]
    return [g for _, g in sorted(hits)]


# call: short_link("see http://a.example/very/long")
# call: short_link("none here")
# call: short_link("")
# call: short_link("http://x.example and https://shop.example/items?id=4 or http://y.example/a")
# call: short_link("http://")
# call: short_link(b"http://a")
def short_link(text):
    words = []
    links = []
    for w in text.split():
        head, sep, rest = w.partition("://")
        if sep and head in ("http", "https"):
            links.append(rest.split("/")[0])
            w = f"[{len(links)}]"
        words.append(w)
    return " ".join(words), links


# call: expire([{"id": 1, "ttl": 2}, {"id": 2, "ttl": 1}], 1)
# call: expire([{"id": 1, "ttl": 5}], 0)
# call: expire([], 3)
# call: expire([{"id": 1, "ttl": 1}, {"id": 2, "ttl": 1}, {"id": 3, "ttl": 4}, {"id": 4, "ttl": 0}, {"id": 5, "ttl": 9}], 2)
# call: expire([{"id": 7, "ttl": 1}, {"id": 8, "ttl": 1}], 1)
# call: expire([{"id": 7}], 1)
def expire(box, ticks):
    for _ in range(ticks):
        for m in box:               # removes while it walks: skips the next one
            m["ttl"] -= 1
            if m["ttl"] <= 0:
                box.remove(m)
    return [(m["id"], m["ttl"]) for m in box]


# call: Outbox(2).send("a", "b")
# call: Outbox(0).send("a")
# call: Outbox(3).send()
# call: Outbox(2).send("one", "two", "three", "four", "five", "six")
# call: Outbox(1).send("", "x")
# call: Outbox("2").send("a")
class Outbox:
    class Full(Exception):
        pass

    def __init__(self, room):
        self.room, self.queue, self.sent = room, [], []

    def put(self, m):
        if len(self.queue) >= self.room:
            raise self.Full(m)
        self.queue.append(m)

    def send(self, *messages):
        for m in messages:
            try:
                self.put(m)
            except Outbox.Full as full:
                self.sent.append("+".join(self.queue))
                self.queue = [str(full)]
        return self.sent, self.queue


# call: ghosted(["me", "you", "me", "me"])
# call: ghosted(["you"])
# call: ghosted([])
# call: ghosted(["me", "me", "you", "me", "me", "me", "me", "you", "you", "me"])
# call: ghosted(["me", "me", "me"], patience=1)
# call: ghosted(None)
def ghosted(senders, patience=3):
    waiting = longest = 0
    for s in senders:
        waiting = waiting + 1 if s == "me" else 0
        longest = max(longest, waiting)
    return longest >= patience, waiting


# call: notify_rules({"chat": "work", "text": "hi @me"}, {"work": "mentions"})
# call: notify_rules({"chat": "home", "text": "hi"}, {})
# call: notify_rules({}, {})
# call: notify_rules({"chat": "club", "text": "The bus for the match leaves at nine"}, {"club": ["bus", "match", "cup"], "work": "none"})
# call: notify_rules({"chat": "work", "text": "@me"}, {"work": "none"})
# call: notify_rules({"chat": "work"}, {"work": "mentions"})
def notify_rules(message, settings):
    match settings.get(message.get("chat"), "all"):
        case "all":
            return True
        case "none":
            return False
        case "mentions":
            return "@me" in message["text"]
        case [*words]:
            return [w for w in words if w in message["text"].lower()]


# call: invite_tree({"ann": ["bo", "cy"], "bo": ["dee"]}, "ann")
# call: invite_tree({}, "ann")
# call: invite_tree({"ann": []}, "ann")
# call: invite_tree({"ann": ["bo", "cy", "dee"], "cy": ["eve", "finn"], "finn": ["gus"], "zoe": ["yan"]}, "ann")
# call: invite_tree({"a": ["b"], "b": ["a"]}, "a", 3)
# call: invite_tree({"a": [["b"]]}, "a")
def invite_tree(invites, host, left=5):
    if left == 0:
        return {host: "..."}
    return {host: [invite_tree(invites, guest, left - 1) for guest in invites.get(host, ())]}


# call: latest_only([{"id": 1, "v": 1}, {"id": 1, "v": 2}])
# call: latest_only([{"id": "a", "v": 0}])
# call: latest_only([])
# call: latest_only([{"id": 1, "v": 3}, {"id": 2, "v": 1}, {"id": 1, "v": 2}, {"id": 3, "v": 5}, {"id": 2, "v": 4}])
# call: latest_only([{"id": 1, "v": 1}, {"id": True, "v": 7}])
# call: latest_only([{"id": [1], "v": 1}])
def latest_only(updates):
    kept = {}
    for u in updates:
        old = kept.get(u["id"])
        if old is None or u["v"] > old["v"]:
            kept[u["id"]] = u
    return [kept[k]["v"] for k in kept], list(kept)


# call: talk_share("ann: hi there\nbo: yes")
# call: talk_share("ann: one")
# call: talk_share("")
# call: talk_share("ann: so what now\nbo: tea\nann: good\n\ncy: me too please")
# call: talk_share("no colon")
# call: talk_share("a:\nb: x\na: y")
def talk_share(log):
    words = {}
    for line in log.splitlines():
        if not line:
            continue
        who, text = line.split(":", 1)
        words[who] = words.get(who, 0) + len(text.split())
    total = sum(words.values())
    return [f"{w} {100 * n / total:.1f}%" for w, n in words.items()]


# call: round_table(["ann", "bo"], 3)
# call: round_table(["x"], 2, skip="x")
# call: round_table([], 2)
# call: round_table(["ann", "bo", "cy", "dee"], 7, skip="cy")
# call: round_table(["ann", "bo"], 0)
# call: round_table(["ann"], "3")
def round_table(people, turns, skip=None):
    from itertools import cycle, islice
    def speak():
        for n, who in enumerate(islice(cycle(people), turns)):
            if who == skip:
                continue
            heard = yield f"{n}:{who}"
            if heard:
                yield heard.upper()
    talk = speak()
    out = []
    for line in talk:
        out.append(line)
        if len(out) == 2:
            out.append(talk.send("quiet"))
    return out


# call: ping_list({"ann": "out", "bo": "in"}, "lunch @ann @bo")
# call: ping_list({"cy": "in"}, "@all hello")
# call: ping_list({}, "")
# call: ping_list({"ann": "in", "bo": "out", "cy": "in", "dee": "busy"}, "@dee @here please look, @bo can wait")
# call: ping_list({"ann": "in"}, "@zoe @ann")
# call: ping_list({"ann": "in"}, None)
def ping_list(status, text):
    called, wrong = set(), 0
    for word in text.replace(",", " ").split():
        if not word.startswith("@"):
            continue
        match word[1:]:
            case "all":
                called |= set(status)
            case "here":
                called |= {p for p, s in status.items() if s == "in"}
            case name if name in status:
                called.add(name)
            case _:
                wrong += 1
    return sorted(called), wrong


# call: digest(["ann: hi", "bo: yo"], 1)
# call: digest(["cy: late"], 3)
# call: digest([], 2)
# call: digest(["ann: bus?", "bo: nine", "ann: ok", "cy: me too", "dee: +1", "bo: go"], 4)
# call: digest(["a: x", "b: y"], 0)
# call: digest(["a: x", 4], 1)
def digest(lines, every):
    def mails():
        waiting, number = [], 0
        for line in lines:
            waiting.append(line.split(":")[0])
            if len(waiting) > every:      # one more than asked for
                number += 1
                yield f"mail {number}: {'/'.join(waiting)}"
                waiting = []
        if waiting:
            yield f"rest: {len(waiting)}"
    return list(mails())


# call: handover([{"who": "ann", "topic": "bill"}, {"who": "bo", "topic": "bill"}])
# call: handover([{"who": "ann", "topic": "car"}])
# call: handover([])
# call: handover([{"who": "ann", "topic": "bill"}, {"who": "bo", "topic": "car"}, {"who": "cy", "topic": "bill"}, {"who": "cy", "topic": "car", "done": True}, {"who": "dee", "topic": "bill"}])
# call: handover([{"who": "ann", "topic": "car", "done": True}])
# call: handover([{"who": "ann"}])
def handover(chat):
    owner, moves = {}, []
    for m in chat:
        topic, who = m["topic"], m["who"]
        if m.get("done"):
            moves.append(f"{topic} closed after {owner.pop(topic, 'nobody')}")
        elif (old := owner.get(topic)) != who:
            if old:
                moves.append(f"{topic}: {old} -> {who}")
            owner[topic] = who
    return moves, owner


# call: room_topics([["tea", "cake"], ["bus"]])
# call: room_topics([["one"]], 1)
# call: room_topics([])
# call: room_topics([["tea", ["milk", ["oat"]]], ["bus", ["late"]], ["rain"]], 2)
# call: room_topics([[], []], 0)
# call: room_topics([["a", [3]]])
def room_topics(rooms, deepest=9):
    def inside(box, depth):
        for thing in box:
            if isinstance(thing, list):
                if depth < deepest:
                    yield from inside(thing, depth + 1)
            else:
                yield thing.upper() if depth == 1 else "." * depth + thing
    return [" ".join(inside(room, 1)) or "(silent)" for room in rooms]


# call: whisper_path(["ann", "bo"], "meet at nine")
# call: whisper_path(["cy"], "x")
# call: whisper_path([], "nobody hears")
# call: whisper_path(["ann", "bo", "cy", "dee"], "the red boat leaves the harbour at noon")
# call: whisper_path(["ann", "bo", "cy"], "one two")
# call: whisper_path(["ann", 2], "hi you")
def whisper_path(listeners, secret):
    words = secret.split()
    heard = {}
    for n, person in enumerate(listeners):
        if len(words) < 2:
            heard[person] = "?"
            continue
        lost = words.pop(n % len(words))
        heard[person] = f"{len(words)} words without {lost}"
    return heard, words


# call: helper_bot(["hours", "price tea", "bye"])
# call: helper_bot(["price milk"])
# call: helper_bot([])
# call: helper_bot(["hello", "price cake", "hours", "price", "what?", "price tea", "bye", "hours"])
# call: helper_bot(["bye", "hello"])
# call: helper_bot([None])
def helper_bot(questions):
    prices = {"tea": 2.5, "cake": 4}
    confused = 0
    answers = []
    for q in questions:
        match q.split():
            case ["bye"]:
                answers.append(f"bye ({confused} unclear)")
                break
            case ["hours"]:
                answers.append("9-17")
            case ["price", item] if item in prices:
                answers.append(f"{item} {prices[item]:.2f}")
            case ["price", *_]:
                answers.append("price of what?")
            case _:
                confused += 1
    else:
        answers.append("still there?")
    return answers
