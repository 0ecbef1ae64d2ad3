# call: jam_label("plum", 2024, 7)
# call: jam_label("fig", 1999, 12)
# call: jam_label("", 0, 0)
# call: jam_label("strawberry and rhubarb", 2031, 1234)
# call: jam_label("pear", -5, -7)
# call: jam_label("kiwi", "2020", 3)
def jam_label(fruit, year, number):
    name = fruit.title() or "Unknown"
    return f"{name:.<12}{year % 100:02d}/{number:03d}"


# call: drawer_codes("B", 3)
# call: drawer_codes("screws", 2, start=9)
# call: drawer_codes("x", 0)
# call: drawer_codes("KL", 12, start=95)
# call: drawer_codes("n", 4, start=-2)
# call: drawer_codes(7, 2)
def drawer_codes(prefix, count, start=1):
    codes = []
    for i in range(start, start + count):
        codes.append(prefix[:2].upper() + "-" + str(i).zfill(3))
    return codes


# call: cable_tag("server", "switch", 12.5)
# call: cable_tag("a", "b", 3)
# call: cable_tag("", "", 0)
# call: cable_tag("printer-room-2", "patch-panel-west", 104.256)
# call: cable_tag("same", "same", 1)
# call: cable_tag("pc", None, 2)
def cable_tag(source, target, metres):
    if source == target and source:
        return f"<loop {source}>"
    left = source[:6].ljust(6, "_")
    right = target[-6:].rjust(6, "_")
    return "%s>%s %6.1fm" % (left, right, metres)


# call: splitSku("TBL-OAK-120")
# call: splitSku("LAMP-RED")
# call: splitSku("")
# call: splitSku("CHAIR-WHITE-045-EXTRA-LONG-NAME")
# call: splitSku("BED-PINE-12x")
# call: splitSku("A--9")
def splitSku(sku):
    kind, dash, rest = sku.partition("-")
    colour, dash2, size = rest.partition("-")
    if not dash:
        return {"kind": kind}
    result = {"kind": kind.lower(), "colour": colour or "plain"}
    if dash2:
        result["size"] = int(size) if size.isdigit() else size
    return result


# call: luggage_strip("Ann Lee", "OSL", "LIS")
# call: luggage_strip("bo", "cdg", "jfk")
# call: luggage_strip("", "", "")
# call: luggage_strip("Maria del Carmen Ortega", "MAD", "GRU", via=["LIS", "REC"])
# call: luggage_strip("Zoe", "AAA", "AAA", via=("AAA",))
# call: luggage_strip("Tim", "AMS", "BER", via=5)
def luggage_strip(owner, origin, goal, via=()):
    *first, last = owner.split() or ["?"]
    initials = "".join(f"{n[0]}." for n in first)
    route = ">".join([origin, *via, goal]).upper()
    return f"{last.upper()} {initials}".strip() + f" [{route}]"


# call: shelf_strip([("rice", 1.99), ("oil", 12.5)])
# call: shelf_strip([("salt", 0.4)], width=10)
# call: shelf_strip([])
# call: shelf_strip([("brown sugar", 2), ("flour", 0.999), ("yeast", 0.05), ("tea", 1000)], 14)
# call: shelf_strip([("a very long product", 3.0)], 8)
# call: shelf_strip([("milk", "1.10")])
def shelf_strip(items, width=16):
    lines = []
    for name, price in items:
        room = width - 7
        shown = name if len(name) <= room else name[:room - 1] + "~"
        lines.append(f"{shown:<{room}}{price:>7.2f}")
    return "\n".join(lines)


# call: plural_report({"box": 2, "hat": 1})
# call: plural_report({"fly": 3, "day": 2})
# call: plural_report({})
# call: plural_report({"bus": 4, "pony": 1, "glass": 12, "key": 0, "dish": 9})
# call: plural_report({"": 1})
# call: plural_report({"cup": "2"})
def plural_report(counts):
    def many(word):
        if word.endswith(("s", "x", "sh", "ch")):
            return word + "es"
        if word.endswith("y") and word[-2:-1] not in "aeiou":
            return word[:-1] + "ies"
        return word + "s"
    parts = [f"{n} {word if n == 1 else many(word)}" for word, n in counts.items()]
    return " and ".join(parts) if len(parts) < 3 else ", ".join(parts)


# call: spoken_code("B7")
# call: spoken_code("a-10")
# call: spoken_code("")
# call: spoken_code("X99 c0 BA")
# call: spoken_code("zq")
# call: spoken_code(77)
def spoken_code(code):
    names = {"a": "alfa", "b": "bravo", "c": "charlie", "x": "x-ray"}
    table = str.maketrans({"-": " dash ", " ": " gap ", "0": " zero "})
    words = []
    for piece in code.lower().translate(table).split():
        if len(piece) > 2:
            words.append(piece.upper())
        else:
            words.extend(names.get(ch, ch) for ch in piece)
    return " ".join(words)


# call: BadgePrinter("Guest").badge("ann", 3)
# call: BadgePrinter("Staff", "#").badge("Robert", 41)
# call: BadgePrinter("").badge("", 0)
# call: BadgePrinter("Press corps", "=").badge("Konstantinos", 100000)
# call: BadgePrinter("Crew", "").badge("bo", 1)
# call: BadgePrinter("VIP").badge("max", 2.5)
class BadgePrinter:
    width = 14

    def __init__(self, role, edge="*"):
        self.role = role
        self.edge = edge

    def row(self, text):
        return self.edge + text.center(self.width - 2) + self.edge

    def badge(self, name, number):
        rows = [self.row(name.capitalize()), self.row(self.role)]
        rows.append(self.row(f"{number:05d}"))
        bar = self.edge * self.width
        return [bar] + rows + [bar]


# call: size_range(["M", "S", "XL"])
# call: size_range(["L"])
# call: size_range([])
# call: size_range(["XS", "S", "M", "L", "XL", "XXL", "S", "M"])
# call: size_range(["M", "M"])
# call: size_range(["m"])
def size_range(sizes):
    order = "XS S M L XL XXL".split()
    places = sorted({order.index(s) for s in sizes})
    if not places:
        return "no sizes"
    low, high = places[0], places[-1]
    if low == high:
        return f"only {order[low]}"
    gaps = [order[i] for i in range(low, high) if i not in places]
    text = f"{order[low]} to {order[high]}"
    return text + (f" (without {', '.join(gaps)})" if gaps else "")


# call: dose_text("zinc", 15, "mg", 2)
# call: dose_text("iron", 0.5, "g", 1)
# call: dose_text("", 1, "", 0)
# call: dose_text("vitamin D3 drops", 1250, "ug", 3)
# call: dose_text("salt", 1000, "mg", -1)
# call: dose_text("zinc", "15", "mg", 2)
def dose_text(drug, amount, unit, per_day):
    ladder = {"ug": "mg", "mg": "g"}
    while amount >= 1000 and unit in ladder:
        amount /= 1000
        unit = ladder[unit]
    times = {1: "once", 2: "twice"}.get(per_day, f"{per_day}x")
    return f"{drug.upper()} {amount:g}{unit}, {times} daily"


# call: pot_marks(["mint", "dill", "mint"])
# call: pot_marks(["sage"])
# call: pot_marks([])
# call: pot_marks(["basil", "thyme", "basil", "basil", "thyme", "chive", "mint"])
# call: pot_marks(["a", "A"])
# call: pot_marks(["mint", 4])
def pot_marks(plants):
    from collections import Counter
    total = Counter(plants)
    seen = Counter()
    marks = []
    for plant in plants:
        seen[plant] += 1
        short = plant[:3].upper()
        if total[plant] > 1:
            short += f"{seen[plant]}/{total[plant]}"
        marks.append(short)
    return marks


# call: report_bar("paper", 3, 10)
# call: report_bar("glass", 10, 10)
# call: report_bar("", 0, 1)
# call: report_bar("aluminium", 77, 300, 20)
# call: report_bar("over", 15, 10, 8)
# call: report_bar("none", 1, 0)
def report_bar(name, part, whole, width=10):
    share = part / whole
    full = int(share * width)
    bar = "#" * full + "-" * (width - full)
    return f"{name:>6} |{bar}| {share:.0%}"


# call: parse_bin_code("B12/3")
# call: parse_bin_code("c7")
# call: parse_bin_code("")
# call: parse_bin_code("  warehouse204/18 ")
# call: parse_bin_code("12/4")
# call: parse_bin_code("B/")
def parse_bin_code(code):
    place, slash, level = code.strip().rpartition("/")
    if not slash:
        place, level = level, "0"
    letters = place.rstrip("0123456789")
    number = place[len(letters):]
    if not letters:
        return None
    return letters.upper(), int(number or -1), int(level)


# call: money_words(5, 20)
# call: money_words(1, 1)
# call: money_words(0, 0)
# call: money_words(1250000, 99)
# call: money_words(3, 250)
# call: money_words(2, "10")
def money_words(euros, cents):
    euros += cents // 100
    cents %= 100
    parts = []
    if euros:
        parts.append("{:,} euro{}".format(euros, "" if euros == 1 else "s"))
    if cents:
        parts.append("{} cent{}".format(cents, "s"[:cents != 1]))
    return " and ".join(parts) or "nothing"


# call: ticket_row(7, "open", "Lamp broken")
# call: ticket_row(12, "done", "Door")
# call: ticket_row(0, "", "")
# call: ticket_row(40321, "waiting", "The heating in room four makes a strange noise")
# call: ticket_row(-3, "open", "x")
# call: ticket_row("9", "open", "Window")
def ticket_row(number, state, title):
    marks = {"open": "!", "done": "x"}
    mark = marks.get(state, "?")
    if len(title) > 18:
        title = title[:18].rsplit(" ", 1)[0] + "..."
    return f"#{number:=+05d} [{mark}] {title}"


# call: fold_years([2001, 2002, 2003, 2007])
# call: fold_years([1999])
# call: fold_years([])
# call: fold_years([2010, 2011, 2013, 2014, 2015, 2020, 2021, 2022])
# call: fold_years([2003, 2002])
# call: fold_years(["2001", "2002"])
def fold_years(years):
    spans = []
    for y in years:
        if spans and spans[-1][1] + 1 == y:
            spans[-1][1] = y
        else:
            spans.append([y, y])
    return ", ".join(str(a) if a == b else f"{a}-{b % 100:02}" for a, b in spans)


# call: StampBook().stamp("a", "b", "a")
# call: StampBook("Z").stamp("only")
# call: StampBook().stamp()
# call: StampBook("REG").stamp("deed", "will", "deed", "loan", "will", "deed")
# call: StampBook("").stamp("", "")
# call: StampBook("Q").stamp(["list"])
class StampBook:
    issued = {}

    def __init__(self, prefix="S"):
        self.prefix = prefix

    def stamp(self, *documents):
        for d in documents:
            n = self.issued.setdefault(d, [])
            n.append(f"{self.prefix}{len(n) + 1:>02}")
        return self.issued


# call: wash_label(40, True, "low")
# call: wash_label(30, False)
# call: wash_label(0, False, "")
# call: wash_label(95, True, "high")
# call: wash_label(60, None, "tumble")
# call: wash_label("cold", True)
def wash_label(degrees, iron, dryer=None):
    match degrees, iron:
        case (int(d), True) if d >= 90:
            text = f"boil {d}C + hot iron"
        case (int(d), True):
            text = f"{d}C + iron"
        case (0, _):
            text = "hand wash"
        case (d, _):
            text = f"{d!r}C no iron"
    return text if dryer is None else f"{text}; dryer={dryer or 'never'}"


# call: column_code(0)
# call: column_code(27)
# call: column_code(-1)
# call: column_code(18277)
# call: column_code(701)
# call: column_code(2.0)
def column_code(index):
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    out = []
    while index >= 0:
        index, place = divmod(index, 26)
        out.append(letters[place])
        index -= 1
    return "".join(out[::-1])


# call: seat_stub("12C")
# call: seat_stub("1a")
# call: seat_stub("")
# call: seat_stub("044F", rows=50)
# call: seat_stub("31B")
# call: seat_stub("C12")
def seat_stub(code, rows=30):
    try:
        row = int(code[:-1])
        side = "ABCDEF".index(code[-1].upper())
    except (ValueError, IndexError) as problem:
        return type(problem).__name__
    else:
        if not 1 <= row <= rows:
            return f"no row {row}"
        kind = ("window", "middle", "aisle")[side if side < 3 else 5 - side]
        return f"row {row:>2}, {kind} {'left' if side < 3 else 'right'}"


# call: merge_tags("red, big", "big, new")
# call: merge_tags("a")
# call: merge_tags()
# call: merge_tags("Oak,pine", "PINE, elm ,ash", "ash,,birch", sep="|")
# call: merge_tags("x,x", "x")
# call: merge_tags("a", None)
def merge_tags(*lists, sep="+"):
    seen = {}
    for text in lists:
        for tag in map(str.strip, text.split(",")):
            if tag:
                seen.setdefault(tag.casefold(), tag)
    return sep.join(seen.values())


# call: mask_serial("AB123456")
# call: mask_serial("77", keep=1)
# call: mask_serial("")
# call: mask_serial("SN-2024-0077-8812-XYZ", keep=5, every=5)
# call: mask_serial("abcd", keep=0)
# call: mask_serial(12345678)
def mask_serial(serial, keep=3, every=4):
    clean = "".join(c for c in serial if c.isalnum())
    hidden = "x" * (len(clean) - keep) + clean[-keep:]
    return " ".join(hidden[i:i + every] for i in range(0, len(hidden), every))


# call: key_tags(["cellar", "attic", "car"])
# call: key_tags(["hall"])
# call: key_tags([])
# call: key_tags(["garage", "garden", "gate", "gas box", "gallery"])
# call: key_tags(["bike", "bike"])
# call: key_tags(["door", ""])
def key_tags(names):
    used = []
    for name in names:
        n = 1
        while name[:n] in used:
            n += 1
            if n > len(name):
                raise LookupError(f"no tag left for {name!r}")
        used.append(name[:n])
    return used


# call: version_label("2.4.1")
# call: version_label("v10.0")
# call: version_label("")
# call: version_label("v3.11.0-rc2+build77")
# call: version_label("1.0-")
# call: version_label("1.x")
def version_label(text):
    numbers, _, extra = text.removeprefix("v").partition("-")
    parts = [int(p) for p in numbers.split(".")]
    while len(parts) < 3:
        parts.append(0)
    label = "r%d_%02d_%02d" % tuple(parts)
    return label + (f" ({extra.split('+')[0].upper()})" if extra else "")


# call: crate_sign({"apples": 12, "pears": 7})
# call: crate_sign({"figs": 1}, fragile=True)
# call: crate_sign({})
# call: crate_sign({"cups": 24, "plates": 18, "bowls": 6, "vases": 2, "jugs": 40}, fragile=True)
# call: crate_sign({"air": 0})
# call: crate_sign({"apples": "many", "pears": 7})
def crate_sign(content, fragile=False):
    ranked = sorted(content.items(), key=lambda kv: (-kv[1], kv[0]))
    shown = ranked[:2]
    text = " / ".join(f"{k.upper()}({v})" for k, v in shown)
    if len(ranked) > len(shown):
        text += f" / +{len(ranked) - len(shown)} more"
    return f"!! {text} !!" if fragile else text


# call: justify_pair("left", "right", 16)
# call: justify_pair("a", "b", 5, ".")
# call: justify_pair("", "", 0)
# call: justify_pair("Chapter three: the storm", "page 112", 40, "-")
# call: justify_pair("too", "long", 4)
# call: justify_pair("a", "b", 9, "")
def justify_pair(left, right, width, fill=" "):
    room = width - len(left) - len(right)
    if room < 1:
        return (left + fill + right)[:width]
    return left + right.rjust(width - len(left), fill)


# call: alignColumns(["a:1", "long name:22"])
# call: alignColumns(["x : y"])
# call: alignColumns([])
# call: alignColumns(["id:7", "owner:Ann", "no colon here", "time:12:30", ":empty"])
# call: alignColumns([":"])
# call: alignColumns(["a:1", b"b:2"])
def alignColumns(rows):
    cells = [row.partition(":") for row in rows]
    wide = 0
    for key, colon, _ in cells:
        if colon:
            wide = max(wide, len(key.strip()))
    result = []
    for key, colon, value in cells:
        if colon == "":
            result.append(key)
            continue
        result.append(f"{key.strip():>{wide}} = {value.strip()}")
    return result


# call: roll_call(["Ann", "Bo"], {"Ann"})
# call: roll_call(["Cy"], set())
# call: roll_call([], {"Dee"})
# call: roll_call(["Eve", "Finn", "Gus", "Hal", "Ida", "Jon"], {"Finn", "Hal", "Jon", "Kim"})
# call: roll_call(["Lou", "Lou"], {"Lou"})
# call: roll_call(["Max", 3], ["Max"])
def roll_call(names, present):
    lines = [f"{i}) {n:<5}{'here' if n in present else 'MISSING'}" for i, n in enumerate(names, 1)]
    extra = sorted(set(present) - set(names))
    if extra:
        lines.append("also: " + ", ".join(extra))
    return lines


# call: unit_suffix(1500)
# call: unit_suffix(12, "W")
# call: unit_suffix(0)
# call: unit_suffix(123456789012, "Hz")
# call: unit_suffix(999999)
# call: unit_suffix("3k")
def unit_suffix(value, unit="B"):
    for prefix in ("", "k", "M"):
        if abs(value) < 1000:
            break
        value = value / 1000
    else:
        prefix = "G"
    return f"{value:.3g}{prefix}{unit}"


# call: Label("oak", 3).join("ash", "elm")
# call: Label("a", 1).join("b")
# call: Label("").join("")
# call: Label("walnut board", 12).join("planed", "oiled", "sorted by length")
# call: Label("pine", 0).join("raw")
# call: Label("fir", 2).join(8)
class Label:
    def __init__(self, text, copies=1):
        self.text = text
        self.copies = copies

    def __repr__(self):
        return f"<{self.text} x{self.copies}>"

    def __add__(self, other):
        return Label(f"{self.text}/{other.text}", max(self.copies, other.copies))

    def join(self, *words):
        made = self
        for word in words:
            made = made + Label(word, len(word))
        return repr(made)


# call: caesura("one two three four")
# call: caesura("hi", mark="|")
# call: caesura("")
# call: caesura("stored in a dry place away from direct light", 3, "//")
# call: caesura("a b c", 1)
# call: caesura("a b", 0)
def caesura(text, every=2, mark=";"):
    words = text.split()
    groups = [" ".join(words[i:i + every]) for i in range(0, len(words), every)]
    return f" {mark} ".join(groups)


# call: price_ticket("tea", 3.5, old=4)
# call: price_ticket("mug", 8)
# call: price_ticket("", 0)
# call: price_ticket("winter jacket with hood", 119.999, old=180)
# call: price_ticket("pen", 2, old=2)
# call: price_ticket("cup", 1, old=0)
def price_ticket(name, price, old=None):
    line = f"{name[:10]!s:*^12}|{price:8.2f}"
    if old is not None:
        cut = (old - price) / old
        line += f"|{-cut:+.1%}" if cut else "|same"
    return line


# call: wax_seal("KING", 3)
# call: wax_seal("a", 1)
# call: wax_seal("", 2)
# call: wax_seal("Harbour Master", 5)
# call: wax_seal("xy", 0)
# call: wax_seal("xy", "2")
def wax_seal(text, turns):
    ring = []
    for k in range(turns):
        ring.append(text[k:] + text[:k])
        if text and ring[-1][0] == " ":
            ring[-1] = ring[-1].replace(" ", "_", 1)
    return ring


# call: default_report("mon", 3)
# call: default_report("tue", 4, ["mon: 3"])
# call: default_report("", 0)
# call: default_report("fri", 12, ["mon: 1", "tue: 2", "wed: 5", "thu: 8"])
# call: default_report("sat", -1)
# call: default_report("sun", None)
def default_report(day, count, lines=[]):
    lines.append(f"{day}: {count}")
    if count > 2 and len(lines) < 3:
        default_report(day.upper(), count - 2)
    return "; ".join(lines)


# call: gate_board([("LH12", 9, 5), ("BA7", 14, 30)])
# call: gate_board([("X1", 0, 0)])
# call: gate_board([])
# call: gate_board([("SK903", 23, 59), ("AY1", 6, 45), ("KL88", 6, 5), ("TP4", 12, 0)])
# call: gate_board([("ZZ", 25, 61)])
# call: gate_board([("ZZ", 2)])
def gate_board(flights):
    flights = sorted(flights, key=lambda f: f[1:])
    for code, hour, minute in flights:
        carrier = code.rstrip("0123456789")
        number = code[len(carrier):]
        print(f"{hour:02}:{minute:02} {carrier:<3}{number:>4}")
    return len(flights)


# call: batch_stamp(20240115, "b", 4)
# call: batch_stamp(19991231, "zz", 0)
# call: batch_stamp(0, "", 0)
# call: batch_stamp(20301009, "line", 255)
# call: batch_stamp(20240115, "q", -1)
# call: batch_stamp("20240115", "q", 1)
def batch_stamp(day, line, run):
    day, d = divmod(day, 100)
    year, m = divmod(day, 100)
    month = "ABCDEFGHIJKL"[m - 1]
    return f"{year % 10}{month}{d:02d}-{line.upper():X>3}-{run:#04x}"


# call: two_line_label("Extra virgin olive oil")
# call: two_line_label("Tea")
# call: two_line_label("")
# call: two_line_label("Hand made soap with lavender and goat milk")
# call: two_line_label("one two")
# call: two_line_label(b"raw oil")
def two_line_label(text):
    words = text.split(" ")
    best = None
    for cut in range(1, len(words)):
        pair = " ".join(words[:cut]), " ".join(words[cut:])
        width = max(map(len, pair))
        if best is None or width < best[0]:
            best = (width, *pair)
    return best[1:] if best else (text, "")


# call: crate_border(["Ann Lee", "4 Hill Rd"], 12)
# call: crate_border(["Bo"], 6, corner="o")
# call: crate_border([], 4)
# call: crate_border(["The Long Company Ltd", "Unit 4", "", "Hull"], 16, corner="#")
# call: crate_border([""], 2)
# call: crate_border(["a", 5], 8)
def crate_border(address, width, corner="+"):
    side = "!" if len(address) > 3 else "|"
    edge = corner.ljust(width - 1, "-") + corner
    drawn = edge
    for number, part in enumerate(address):
        if not part:
            drawn += f"/{number}?"
            continue
        drawn += "/" + side + part[:width - 2].center(width - 2, ".") + side
    return drawn + "/" + edge


# call: bump_revision("PLAN-A/3")
# call: bump_revision("MAP-Z/9")
# call: bump_revision("")
# call: bump_revision("HARBOUR-NORTH-C/007", minor=False)
# call: bump_revision("ROOF-Z/1", minor=False)
# call: bump_revision("A/x")
def bump_revision(mark, minor=True):
    front, slash, revision = mark.rpartition("/")
    if minor:
        width = len(revision)
        return f"{front}{slash}{int(revision) + 1:0{width}d}"
    stem, letter = front[:-1], front[-1]
    after = "AA" if letter == "Z" else chr(ord(letter) + 1)
    return f"{stem}{after}{slash}{'1'.zfill(len(revision))}"


# call: star_sticker({"taste": 4, "price": 2})
# call: star_sticker({"size": 5})
# call: star_sticker({})
# call: star_sticker({"taste": 3, "colour": 5, "weight": 0, "smell": 1, "price": 4}, best=5, sign="o")
# call: star_sticker({"taste": 9})
# call: star_sticker({"taste": "4"})
def star_sticker(marks, best=5, sign="*"):
    rows = []
    for aspect, mark in marks.items():
        if mark > best:
            rows.append(f"{aspect[0].upper()}:over")
        else:
            rows.append("%s:%s" % (aspect[0].upper(), (sign * mark).ljust(best, ".")))
    whole = sum(marks.values())
    return " ".join(rows) + f" = {whole}/{best * len(marks)}"


# call: tin_name("Sea Green", 750)
# call: tin_name("red", 2500, matt=True)
# call: tin_name("", 0)
# call: tin_name("Old Brick Wall Brown", 12500, matt=True)
# call: tin_name("ivory", 999.5)
# call: tin_name("ivory", "1l")
def tin_name(shade, millilitres, matt=False):
    drop = str.maketrans("", "", "aeiou")
    short = "-".join(w[0] + w[1:].translate(drop) for w in shade.split())
    if millilitres >= 1000:
        volume = f"{millilitres / 1000:.1f}L"
    else:
        volume = f"{millilitres:.0f}ml"
    return " ".join(filter(None, [short, volume, matt and "matt"]))
