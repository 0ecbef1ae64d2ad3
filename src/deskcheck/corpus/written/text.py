# call: squeeze_blanks("a   b  c")
# call: squeeze_blanks("no change")
# call: squeeze_blanks("")
# call: squeeze_blanks("  tabs\tstay   but blanks  go    away  ")
# call: squeeze_blanks("    ")
# call: squeeze_blanks(["a", " ", " ", "b"])
def squeeze_blanks(line):
    out = ""
    previous = None
    for ch in line:
        if ch == " " and previous == " ":
            continue
        out += ch
        previous = ch
    return out


# call: headline_case("the fall of the house")
# call: headline_case("a tale of two cities")
# call: headline_case("")
# call: headline_case("an essay on the use of commas in the north")
# call: headline_case("of")
# call: headline_case(b"of mice")
SMALL_WORDS = {"a", "an", "the", "of", "in", "on", "and"}


def headline_case(title):
    words = title.lower().split()
    return " ".join(
        word if word in SMALL_WORDS and position > 0 else word.capitalize()
        for position, word in enumerate(words)
    )


# call: wrap_at("one two three four", 9)
# call: wrap_at("alpha beta", 20)
# call: wrap_at("", 5)
# call: wrap_at("the ship left the harbour before the sun had risen", 12)
# call: wrap_at("incomprehensible word", 6)
# call: wrap_at("a b c", "3")
def wrap_at(paragraph, width):
    lines = []
    current = ""
    for word in paragraph.split():
        if current and len(current) + 1 + len(word) > width:
            lines.append(current)
            current = word
        else:
            current = f"{current} {word}".strip()
    if current:
        lines.append(current)
    return lines


# call: fill_template("Dear {name}, pay {sum}", {"name": "Ann", "sum": 12})
# call: fill_template("{greet}!", {"greet": "Hi"})
# call: fill_template("", {})
# call: fill_template("{a}-{b}-{a}-{c}", {"a": 1, "b": None, "c": [2, 3]})
# call: fill_template("{missing} here", {"name": "Bo"})
# call: fill_template("open {brace", {"brace": 1})
def fill_template(template, values):
    result = []
    pos = 0
    while pos < len(template):
        start = template.find("{", pos)
        if start == -1:
            result.append(template[pos:])
            break
        result.append(template[pos:start])
        end = template.index("}", start)
        key = template[start + 1 : end]
        result.append(str(values.get(key, "{" + key + "}")))
        pos = end + 1
    return "".join(result)


# call: draw_table([("tea", 3), ("jam", 12)])
# call: draw_table([("salt", 100)])
# call: draw_table([])
# call: draw_table([("bread", 2), ("oat flakes", 15), ("egg", 12), ("butter", 1)])
# call: draw_table([("", 0)])
# call: draw_table([("tea", "3")])
def draw_table(items):
    widest = max((len(name) for name, _ in items), default=0)
    lines = []
    for name, number in items:
        lines.append(f"|{name:<{widest}}|{number:>4d}|")
    rule = "+" + "-" * widest + "+----+"
    return [rule, *lines, rule]


# call: strip_comment("x = 1  # set x")
# call: strip_comment("# only a comment")
# call: strip_comment("")
# call: strip_comment("s = '#not' + name  # but this is")
# call: strip_comment('say "a # b')
# call: strip_comment(None)
def strip_comment(line):
    quote = ""
    for i, c in enumerate(line):
        if quote:
            if c == quote:
                quote = ""
        elif c in "'\"":
            quote = c
        elif c == "#":
            return line[:i].rstrip()
    return line.rstrip()


# call: parse_settings("a=1;b=2")
# call: parse_settings("mode=fast; level = 9 ;quiet")
# call: parse_settings("")
# call: parse_settings("w=80;h=24;title=my=page;;dark;lang=en")
# call: parse_settings("=5")
# call: parse_settings("a=1,b=2;a=7")
def parse_settings(text):
    settings = {}
    for piece in text.split(";"):
        piece = piece.strip()
        if not piece:
            continue
        key, eq, value = piece.partition("=")
        if not eq:
            settings[key] = True
        elif value.strip().isdigit():
            settings[key.strip()] = int(value)
        else:
            settings[key.strip()] = value.strip()
    return settings


# call: shout_every("one two three four", 2)
# call: shout_every("red green blue", 1)
# call: shout_every("", 3)
# call: shout_every("we will meet again at the old mill by noon", 4)
# call: shout_every("a b c d e", -2)
# call: shout_every("a b", 0)
def shout_every(sentence, step):
    words = sentence.split()
    words[::step] = [w.upper() for w in words[::step]]
    return " ".join(words)


# call: ellipsis_middle("documents/letters/may.txt", 15)
# call: ellipsis_middle("short", 10)
# call: ellipsis_middle("", 0)
# call: ellipsis_middle("the quick report about the slow market of last week", 21)
# call: ellipsis_middle("abcdefgh", 3)
# call: ellipsis_middle("abcdefgh", 2)
def ellipsis_middle(text, limit):
    if len(text) <= limit:
        return text
    keep = limit - 3
    head = (keep + 1) // 2
    tail = keep // 2
    return text[:head] + "..." + text[len(text) - tail :]


# call: quote_all(["a", "b c"], mark="'")
# call: quote_all(["plain"])
# call: quote_all([])
# call: quote_all(["it's", 'say "x"', "", "tab\t", "new\nline", "z"])
# call: quote_all(["a'b"], mark="'")
# call: quote_all(["a", 3])
def quote_all(words, mark='"'):
    escaped = (w.replace("\\", "\\\\").replace(mark, "\\" + mark) for w in words)
    return ", ".join(mark + w + mark for w in escaped)


# call: LineNumberer(width=3).run(["alpha", "beta"])
# call: LineNumberer().run(["one"])
# call: LineNumberer().run([])
# call: LineNumberer(start=98, width=4).run(["a", "", "b", "  ", "c", "d"])
# call: LineNumberer(start=-1).run(["x", "y", "z"])
# call: LineNumberer(width=2).run(["ok", None])
class LineNumberer:
    """Number the lines that are not blank."""

    def __init__(self, start=1, width=2):
        self.next = start
        self.width = width

    def label(self, line):
        if line.isspace() or line == "":
            return ""
        label = str(self.next).rjust(self.width)
        self.next += 1
        return f"{label}: {line}"

    def run(self, lines):
        return [self.label(line) for line in lines]


# call: indent_levels("a\n  b\n    c")
# call: indent_levels("top\nalso top")
# call: indent_levels("")
# call: indent_levels("menu\n  tea\n    green\n    black\n  cake\n\n      crumbs")
# call: indent_levels(" odd\n   three")
# call: indent_levels(["a", "  b"])
def indent_levels(text):
    levels = []
    for line in text.splitlines():
        body = line.lstrip(" ")
        if not body:
            continue
        depth, rest = divmod(len(line) - len(body), 2)
        levels.append((depth, body + "!" * rest))
    return levels


# call: speakers("ANN: hello\nBOB: hi\nANN: bye")
# call: speakers("narrator speaks")
# call: speakers("")
# call: speakers("KING: who?\nFOOL: me: I\nKING: leave\nno colon\nQUEEN: wait\nFOOL:")
# call: speakers(":\n:x")
# call: speakers(None)
from collections import defaultdict


def speakers(script):
    lines_of = defaultdict(list)
    for line in script.split("\n"):
        who, colon, words = line.partition(":")
        if colon:
            lines_of[who].append(words.strip())
    return dict(lines_of)


# call: rename_numbered(["cat.png", "cat.png"])
# call: rename_numbered(["a.txt", "b.txt"])
# call: rename_numbered([])
# call: rename_numbered(["x", "x", "y.tar.gz", "x", "y.tar.gz", "x1", "x"])
# call: rename_numbered(["a1.txt", "a.txt", "a.txt"])
# call: rename_numbered("aab")
def rename_numbered(names):
    taken = {}
    result = []
    for name in names:
        n = taken.get(name, 0)
        taken[name] = n + 1
        if n == 0:
            result.append(name)
            continue
        stem, dot, ext = name.rpartition(".")
        if not dot:
            stem, ext = name, ""
        result.append(f"{stem}{n}{dot}{ext}")
    return result


# call: vowel_ranking("banana boat")
# call: vowel_ranking("rhythm")
# call: vowel_ranking("")
# call: vowel_ranking("Every evening our uncle eats an apple outside")
# call: vowel_ranking("AEIOU aei")
# call: vowel_ranking(None)
from collections import Counter


def vowel_ranking(text):
    tally = Counter(filter("aeiou".__contains__, text.lower()))
    return sorted(tally.items(), key=lambda pair: (-pair[1], pair[0]))


# call: center_poem(["rose", "violets"], 11)
# call: center_poem(["a", "bb", "ccc"], 3)
# call: center_poem([], 8)
# call: center_poem(["under", "the old", "stone bridge", "the river", "sleeps"], 14, fill=".")
# call: center_poem(["too long for this"], 4)
# call: center_poem(["a"], 5, fill="<>")
def center_poem(lines, width, fill=" "):
    poem = [line.center(width, fill) for line in lines]
    poem.append((fill * width)[:width])
    return poem


# call: ordinal_label(1)
# call: ordinal_label(12)
# call: ordinal_label(0)
# call: ordinal_label(1112)
# call: ordinal_label(-3)
# call: ordinal_label("4")
def ordinal_label(n):
    if 10 <= n % 100 <= 20:
        return f"{n}th"
    match n % 10:
        case 1:
            ending = "st"
        case 2:
            ending = "nd"
        case 3:
            ending = "rd"
        case _:
            ending = "th"
    return f"{n}{ending}"


# call: join_nicely(["tea", "milk", "jam"])
# call: join_nicely(["tea", "milk"])
# call: join_nicely([])
# call: join_nicely(["red", "green", "blue", "grey", "pink", "black"], last="or")
# call: join_nicely(["alone"])
# call: join_nicely([1, 2, 3])
def join_nicely(items, last="and"):
    if len(items) < 2:
        return "".join(items)
    *first, final = items
    comma = "," if len(first) > 1 else ""
    return ", ".join(first) + f"{comma} {last} {final}"


# call: tidy_phone("030 / 123-45")
# call: tidy_phone("+49 (30) 555")
# call: tidy_phone("")
# call: tidy_phone("0044 1632 960 961 ext 7", sep=".")
# call: tidy_phone("call me")
# call: tidy_phone(301234)
def tidy_phone(raw, sep=" "):
    digits = "".join(c for c in raw if c.isdecimal() or c == "+")
    if digits.startswith("00"):
        digits = "+" + digits[2:]
    groups = []
    while digits:
        groups.append(digits[:3])
        digits = digits[3:]
    return sep.join(groups)


# call: caption("map of %s (%d pages)", "Rome", 4)
# call: caption("%s", "plain")
# call: caption("")
# call: caption("%-8s|%5.2f|%03d|%x", "abc", 2.345, 7, 255)
# call: caption("100%% %s", "sure")
# call: caption("%d of %d", 3)
def caption(pattern, *values):
    try:
        text = pattern % values
    except ValueError:
        return pattern
    else:
        return text[:1].upper() + text[1:]


# call: diary_index(["2 May: rain", "3 May: sun, walk", "9 June: rain"])
# call: diary_index(["1 May: x"])
# call: diary_index([])
# call: diary_index(["1 Jan: snow", "2 Jan: snow", "2 Feb: thaw", "5 Feb: sun", "9 Mar: rain", "1 Jan: ice"])
# call: diary_index(["3 May:"])
# call: diary_index(["no date"])
def diary_index(entries):
    index = {}
    for entry in entries:
        date, note = entry.split(": ", 1) if ": " in entry else (entry.rstrip(":"), "")
        day, month = date.split()
        days = index.setdefault(month, {})
        days[int(day)] = note
    return index


# call: Typewriter(10).type("hello typewriter").page()
# call: Typewriter(4).type("ab cd ef").page()
# call: Typewriter().page()
# call: Typewriter(8).type("one two ").type("three<<<<").type("ee four").page()
# call: Typewriter(5).type("<<a<b<").page()
# call: Typewriter(0).type("x").page()
class Typewriter:
    def __init__(self, width=20):
        self.width = width
        self.lines = [""]

    def type(self, keys):
        for key in keys:
            if key == "<":
                self.lines[-1] = self.lines[-1][:-1]
                continue
            if len(self.lines[-1]) == self.width:
                self.lines.append("")
            self.lines[-1] += key
        return self

    def page(self):
        return "/".join(self.lines)


# call: log_levels(["INFO start", "WARN disk", "INFO stop"])
# call: log_levels(["DEBUG x"])
# call: log_levels([])
# call: log_levels(["INFO a", "ERROR b", "WARN c", "ERROR d", "debug e", "trace", "ERROR  f"])
# call: log_levels(["  INFO indented"])
# call: log_levels([""])
def log_levels(lines, levels=("ERROR", "WARN", "INFO")):
    counts = dict.fromkeys(levels, 0)
    other = []
    for line in lines:
        word = line.split()[0]
        try:
            counts[word] += 1
        except KeyError:
            other.append(word.lower())
    return counts, other


# call: hang_indent("wash and peel the apples", 12)
# call: hang_indent("mix", 10)
# call: hang_indent("", 10)
# call: hang_indent("stir the sauce slowly until it is thick and glossy", 16, "* ")
# call: hang_indent("a-b c-d extraordinary", 8)
# call: hang_indent("text", 0)
import textwrap


def hang_indent(text, width, bullet="- "):
    blank = " " * len(bullet)
    return textwrap.wrap(text, width, initial_indent=bullet, subsequent_indent=blank)


# call: most_quoted('He said "yes" and "no"')
# call: most_quoted('"one"')
# call: most_quoted("")
# call: most_quoted('"a" then "bcd" then "ef" and "ghi" or "jk" end')
# call: most_quoted('odd " quote')
# call: most_quoted(["\"x\""])
def most_quoted(text):
    parts = text.split('"')
    inside = parts[1::2]
    longest = max(inside, key=len, default=None)
    return len(inside), longest


# call: ship_label({"name": "Ann Lee", "street": "Elm 3", "zip": 123})
# call: ship_label({"name": "Bo", "zip": 99999})
# call: ship_label({})
# call: ship_label({"name": "Maximilian Featherstone", "street": "Upper Long Lane 1440", "zip": 7, "land": "NZ"})
# call: ship_label({"name": "", "street": "", "zip": 0})
# call: ship_label({"zip": "007"})
def ship_label(person):
    template = "{name:<10.10}|{street:>8}|{zip:05d}|{land!r}"
    defaults = {"name": "?", "street": "-", "zip": 0, "land": None}
    return template.format(**{**defaults, **person})


# call: strike_words("the red red wine", {"red"})
# call: strike_words("keep all", set())
# call: strike_words("", {"x"})
# call: strike_words("you must not, must never, touch the Must key", {"must", "never"})
# call: strike_words("a a a", {"a"})
# call: strike_words("a b", None)
def strike_words(text, banned):
    words = text.split(" ")
    for word in words:
        if word.strip(",.").lower() in banned:
            words.remove(word)
    return " ".join(words)


# call: acrostic(["Rain", "over", "the", "sea"])
# call: acrostic(["alpha", "beta"], 1)
# call: acrostic([])
# call: acrostic(["stone", "under", "night", "dusk", "ash", "yellow"], 2)
# call: acrostic(["abc", "x", "", "de"], 1)
# call: acrostic(["ab", None])
def acrostic(lines, column=0):
    word = ""
    for line in lines:
        try:
            letter = line[column]
        except IndexError:
            letter = "_"
        finally:
            word += letter if not word else letter.lower()
    return word


# call: count_endings(["running", "walked", "sings", "jumping"])
# call: count_endings(["sky"])
# call: count_endings([])
# call: count_endings(["baked", "bakes", "baking", "king", "red", "gas", "use", "used", "using"])
# call: count_endings(["ing", "ed", "s"])
# call: count_endings([["ing"]])
def count_endings(words, endings=("ing", "ed", "s")):
    table = {e: 0 for e in endings}
    for w in words:
        for e in endings:
            if w.endswith(e) and len(w) > len(e) + 1:
                table[e] += 1
                break
        else:
            table[""] = table.get("", 0) + 1
    return table


# call: crc_word("tea")
# call: crc_word("Tea")
# call: crc_word("")
# call: crc_word("the quick report")
# call: crc_word("\u00e9")
# call: crc_word(99)
def crc_word(word):
    total = 7
    for i, c in enumerate(word, 1):
        total = (total * 31 + ord(c) * i) % 9973
    return f"{word[:3]}-{total:04x}"


# call: split_title("Moby: or, the Whale (1851)")
# call: split_title("Emma (1815)")
# call: split_title("")
# call: split_title("The Long Voyage: a Memoir in Nine Parts (1902, revised) (1910)")
# call: split_title("No year at all")
# call: split_title(1984)
import re


def split_title(title):
    m = re.match(r"(?P<main>[^:(]+)(?::\s*(?P<sub>[^(]+))?\s*\((?P<year>\d{4})\)", title)
    if m is None:
        return title or None
    parts = {k: v.strip() for k, v in m.groupdict().items() if v}
    parts["year"] = int(parts["year"])
    return parts


# call: note_tags("buy #tea and #jam")
# call: note_tags("#Tea #tea")
# call: note_tags("no tags")
# call: note_tags("plan #garden: dig #Beds, plant #beans #peas-early ##odd # #end")
# call: note_tags("##")
# call: note_tags(None)
def note_tags(note):
    tags = []
    rest = []
    for token in note.split():
        if token.startswith("#") and (tag := token.lstrip("#").rstrip(":,.")):
            if tag.casefold() not in tags:
                tags.append(tag.casefold())
        else:
            rest.append(token)
    return tags, " ".join(rest)


# call: glue_hyphens(["read-", "ing is", "fun"])
# call: glue_hyphens(["no", "break"])
# call: glue_hyphens([])
# call: glue_hyphens(["a well-", "known au-", "thor of mys-", "teries and", "-isms -"])
# call: glue_hyphens(["end-"])
# call: glue_hyphens(["a", ["b-"]])
from functools import reduce


def glue_hyphens(lines):
    def glue(left, right):
        if left.endswith("-"):
            return left.removesuffix("-") + right
        return left + " " + right if left else right

    return reduce(glue, lines, "")


# call: spread_tabs("a\tb\tc")
# call: spread_tabs("name\tage", 8)
# call: spread_tabs("")
# call: spread_tabs("id\tlong name here\tqty\n1\tbolt\t500", 6)
# call: spread_tabs("\t\t")
# call: spread_tabs("a\tb", 0)
def spread_tabs(text, stop=4):
    columns = 0
    out = ""
    for c in text:
        if c == "\t":
            gap = stop - columns % stop
            out += "." * gap
            columns += gap
        else:
            out += c
            columns = 0 if c == "\n" else columns + 1
    return out, text.expandtabs(stop).count(" ")


# call: Glossary({"oak": "tree"}).define("elm", "tree").lookup("Oak elm fir")
# call: Glossary().define("x", "unknown").lookup("x")
# call: Glossary().lookup("")
# call: Glossary({"a": "1", "b": "2"}).define("C", "3").define("a", "9").lookup("a b c A d B")
# call: Glossary({"Upper": "never found"}).lookup("upper Upper")
# call: Glossary().define(5, "five").lookup("5")
class Glossary:
    def __init__(self, terms=None):
        self.terms = terms or {}
        self.misses = 0

    def define(self, term, meaning):
        self.terms[term.lower()] = meaning
        return self

    def __getitem__(self, word):
        try:
            return self.terms[word.lower()]
        except KeyError:
            self.misses += 1
            return "<%s>" % word

    def lookup(self, text):
        return [self[w] for w in text.split()], self.misses


# call: camel_parts("orderTotalNow")
# call: camel_parts("plain")
# call: camel_parts("")
# call: camel_parts("readTheLongLetterFromHome")
# call: camel_parts("XMLFile")
# call: camel_parts(42)
import re


def camel_parts(name):
    """Cut a name before each capital that follows a small letter."""
    cuts = [m.end() for m in re.finditer("[a-z](?=[A-Z])", name)]
    parts = []
    for start, end in zip([0, *cuts], [*cuts, len(name)]):
        parts.append(name[start:end])
    return parts


# call: ragged_table(["id,name", "1,Anna"])
# call: ragged_table(["x"])
# call: ragged_table([])
# call: ragged_table(["city,land,size", "Oslo,Norway", "Rome,Italy,big,old", ",,3"])
# call: ragged_table(["a,b", ""])
# call: ragged_table([("a", "b")])
from itertools import zip_longest


def ragged_table(lines, gap=1):
    rows = [line.split(",") for line in lines]
    columns = []
    for cells in zip_longest(*rows, fillvalue="-"):
        size = max(map(len, cells)) + gap
        columns.append([cell.ljust(size, ".") for cell in cells])
    return ["".join(parts) for parts in zip(*columns)]


# call: shout_meter("Hello THERE you")
# call: shout_meter("WHY NOT")
# call: shout_meter("")
# call: shout_meter("please STOP it NOW or I will CALL the GUARDS!!")
# call: shout_meter("1984 A")
# call: shout_meter(["LOUD"])
def shout_meter(message):
    loud = quiet = 0
    for word in message.split():
        if word == word.upper() and word != word.lower():
            loud += len(word)
        else:
            quiet += len(word)
    marks = message.count("!")
    if loud + quiet == 0:
        return "silent"
    percent = 100 * loud // (loud + quiet) + 10 * marks
    return f"{min(percent, 100)}% loud"


# call: hide_middle("ann@mail.org")
# call: hide_middle("x@y.z")
# call: hide_middle("")
# call: hide_middle("very.long.person.name@some.university.example")
# call: hide_middle("no-at-sign")
# call: hide_middle(None)
def hide_middle(address):
    user, at, host = address.partition("@")
    if not at:
        raise ValueError(f"not an address: {address!r}")
    hidden = user[:1] + "*" * max(0, len(user) - 2)
    if len(user) > 1:
        hidden += user[-1]
    return hidden + at + host.split(".")[-1]


# call: sentence_shape("I came. I saw. I won!")
# call: sentence_shape("Really? Yes")
# call: sentence_shape("")
# call: sentence_shape("It rained. We stayed inside and read. Then the sun came out! Who knew?")
# call: sentence_shape("...")
# call: sentence_shape(12.5)
def sentence_shape(text):
    shape = []
    length = 0
    for token in text.split():
        length += 1
        match token[-1]:
            case ".":
                shape.append(length)
                length = 0
            case "!" | "?" as mark:
                shape.append(f"{length}{mark}")
                length = 0
    if length:
        shape.append((length,))
    return shape


# call: expand_short("Dr. Lee lives on 5th St.")
# call: expand_short("approx. 10 min.")
# call: expand_short("")
# call: expand_short("Dr. No met Mr. Yes at St. Paul approx. at noon etc. etc.")
# call: expand_short("dr. small St")
# call: expand_short(["Dr."])
FULL_FORMS = {"dr": "Doctor", "mr": "Mister", "st": "Street", "approx": "about"}


def expand_short(text):
    words = text.split()
    for at, word in enumerate(words):
        stem, dot, _ = word.rpartition(".")
        if dot and stem.lower() in FULL_FORMS:
            full = FULL_FORMS[stem.lower()]
            words[at] = full if stem.istitle() else full.lower()
    return " ".join(words)


# call: drop_tags("a <b>bold</b> move")
# call: drop_tags("<p>Hi</p>")
# call: drop_tags("")
# call: drop_tags("<ul><li>tea</li><li>milk</li></ul> done <br/> bye")
# call: drop_tags("3 < 4 and 5")
# call: drop_tags(b"<i>x</i>")
def drop_tags(html):
    first, *pieces = html.split("<")
    kept, tags = [first], []
    for piece in pieces:
        tag, closed, rest = piece.partition(">")
        if closed:
            tags.append(tag.strip("/ "))
            kept.append(rest)
        else:
            kept.append("<" + piece)
    return "".join(kept), tags


# call: beat_caps("hello", "Xx")
# call: beat_caps("a b c", "x-")
# call: beat_caps("", "X")
# call: beat_caps("the long river runs", "Xx-x")
# call: beat_caps("quiet", "")
# call: beat_caps({"b": 1}, "Xx")
from itertools import cycle


def beat_caps(text, pattern):
    action = {"X": str.upper, "x": str.lower}
    return "".join(action.get(beat, str)(ch) for ch, beat in zip(text, cycle(pattern)))


# call: scale_line(10)
# call: scale_line(23, 5)
# call: scale_line(0)
# call: scale_line(40, 8)
# call: scale_line(3, 10, "=")
# call: scale_line(12, 0)
def scale_line(length, every=10, dash="-"):
    line = ""
    while len(line) < length:
        if len(line) % every == 0:
            line += str(len(line))
        else:
            line += dash
    return line


# call: quote_depths("a (b (c) d)")
# call: quote_depths("()")
# call: quote_depths("")
# call: quote_depths("he said (she heard (they saw (it))) and (we) laughed")
# call: quote_depths(")(")
# call: quote_depths(["(", ")"])
def quote_depths(text):
    depth = 0
    deepest = {}
    for word in text.split():
        depth += word.count("(")
        core = word.strip("()")
        deepest.setdefault(depth, []).append(core)
        depth -= word.count(")")
        if depth < 0:
            raise ValueError("closed too often at " + repr(word))
    return deepest


# call: shelf_order(["a1", "a10", "b7", "a9"])
# call: shelf_order(["room5"])
# call: shelf_order([])
# call: shelf_order(["x9", "x10", "y100", "x", "k0007", "y20", "k7"])
# call: shelf_order(["b", "a", "9"])
# call: shelf_order(["a1", 5])
def shelf_order(codes):
    def key(code):
        stem = code.rstrip("0123456789")
        tail = code[len(stem) :]
        return stem, int(tail or -1), tail

    return sorted(codes, key=key)


# call: alphabet_gap("bead")
# call: alphabet_gap("Az")
# call: alphabet_gap("")
# call: alphabet_gap("the small harbour town")
# call: alphabet_gap("a-b")
# call: alphabet_gap([1, 2])
def alphabet_gap(word):
    steps = []
    for left, right in zip(word, word[1:]):
        if left.isalpha() and right.isalpha():
            steps.append(f"{ord(right.lower()) - ord(left.lower()):+d}")
        else:
            steps.append("/")
    return "".join(steps)


# call: first_differences("the red door", "the bed door")
# call: first_differences("same", "same")
# call: first_differences("", "")
# call: first_differences("we sailed at dawn on Monday", "we mailed at noon on Monday evening")
# call: first_differences("short", "shorter")
# call: first_differences("abc", None)
def first_differences(old, new, most=3):
    marks = []
    for at, (a, b) in enumerate(zip(old, new)):
        if a == b:
            continue
        marks.append(f"{at}:{a}>{b}")
        if len(marks) == most:
            break
    else:
        if len(old) != len(new):
            marks.append(f"length {len(old)}>{len(new)}")
    return marks


# call: Cursor("hello world").do("w", "x", "x")
# call: Cursor("abc").do("l", "~")
# call: Cursor("").do()
# call: Cursor("the old red barn").do("w", "w", "~", "l", "l", "x", "$", "~", "0", "x")
# call: Cursor("ab").do("h", "h", "l", "l", "l", "x")
# call: Cursor("abc").do("q")
class Cursor:
    def __init__(self, line):
        self.line = line
        self.at = 0

    def do(self, *keys):
        for key in keys:
            if key == "l":
                self.at = min(self.at + 1, len(self.line))
            elif key == "h":
                self.at = max(self.at - 1, 0)
            elif key == "w":
                self.at = self.line.find(" ", self.at) + 1
            elif key == "0":
                self.at = 0
            elif key == "$":
                self.at = len(self.line) - 1
            elif key in "x~":
                here = self.line[self.at : self.at + 1]
                new = "" if key == "x" else here.swapcase()
                self.line = self.line[: self.at] + new + self.line[self.at + 1 :]
            else:
                raise KeyError(key)
        return self.line, self.at


# call: CiString("Tea").same_as(["tea", "TEA", "tee"])
# call: CiString("x").same_as(["X"])
# call: CiString("").same_as([])
# call: CiString("Stra\u00dfe").same_as(["STRASSE", "strasse", "stra\u00dfe", " Strasse", None, 7, "STREET"])
# call: CiString("a").same_as(["", "b"])
# call: CiString(5).same_as(["5"])
class CiString:
    def __init__(self, text):
        self.text = text

    def __eq__(self, other):
        if isinstance(other, str):
            return self.text.casefold() == other.casefold()
        return NotImplemented

    def __hash__(self):
        return hash(self.text.casefold())

    def same_as(self, others):
        return [other for other in others if self == other], len({self, *others})


# call: print_banner("Sale", 10)
# call: print_banner("New shoes", 12, ".")
# call: print_banner("", 4)
# call: print_banner("Closed on Monday and on the day after", 16, "=")
# call: print_banner("wide", 2)
# call: print_banner("x", 5, "ab")
def print_banner(title: str, width: int, edge: str = "*") -> int:
    print(edge * width)
    shown = 0
    for word in title.split():
        line = f"{word:^{width - 2}}"
        print(edge + line + edge)
        shown += 1
    print(edge * width, end="\n\n")
    return shown


# call: clean_fields({"name": " Ann ", "note": "a\tb"})
# call: clean_fields({"city": "ROME"})
# call: clean_fields({})
# call: clean_fields({"name": "  bo LEE ", "city": " new york", "zip": " 0123 ", "note": "x\t\ty", "other": "  keep "})
# call: clean_fields({"zip": "none"})
# call: clean_fields({"zip": 123})
from functools import partial


def both(first, second, text):
    return second(first(text))


CLEANERS = {
    "name": partial(both, str.strip, str.title),
    "city": partial(both, str.strip, str.upper),
    "zip": partial(both, str.strip, int),
    "note": partial(both, str.expandtabs, len),
}


def clean_fields(record):
    problems = []
    for field, text in record.items():
        try:
            record[field] = CLEANERS.get(field, str)(text)
        except ValueError as error:
            problems.append(f"{field}: {error}")
    return record, problems


# call: read_chunks("ab,cd,ef", 2)
# call: read_chunks("one", 5)
# call: read_chunks("", 3)
# call: read_chunks("alpha,be,gamma,d,epsilon,zeta,,eta", 6)
# call: read_chunks(",,", 1)
# call: read_chunks("a,b", 0)
def pieces(stream, size):
    # gives what was read, cut at the commas
    rest = ""
    while stream:
        if size < 1:
            raise ValueError("size")
        rest, stream = rest + stream[:size], stream[size:]
        *whole, rest = rest.split(",")
        yield from whole
    yield rest


def read_chunks(stream, size):
    found = []
    for number, piece in enumerate(pieces(stream, size)):
        found.append(piece or f"<{number}>")
    return found
