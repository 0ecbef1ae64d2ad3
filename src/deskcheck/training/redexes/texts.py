"""List the primitive operations on strings, each with a function that draws a redex (`operation.py`).

In the names, `s` and `t` are strings, `c` and `e` characters, `n` is a number; "s or t" stands for `and` too.
"""

from __future__ import annotations

from deskcheck.training.redexes.operation import Draw, Operation
from deskcheck.training.redexes.values import Drawer


def _form(form: str) -> Draw:
    """Return a function that fills the form: `{s}` is a string."""
    return lambda d: form.format(s=d.text())


def _at(negative: bool) -> Draw:
    def draw(d: Drawer) -> str:
        text = d.characters()
        at = d.below(len(text))
        return f"{d.quoted(text)}[{at - len(text) if negative else at}]"

    return draw


def slice_of(d: Drawer, n: int, kind: str) -> str:
    """Draw the text of a slice of n elements; `kind` ("i:j", "i:", ..) gives its form."""
    low, high = sorted((d.below(n + 1), d.below(n + 2)))
    low_text = str(low - n) if n and low < n and d.rng.random() < 0.25 else str(low)
    high_text = str(high - n) if n and high < n and d.rng.random() < 0.25 else str(high)
    return kind.replace("i", low_text).replace("j", high_text).replace("k", str(d.rng.choice((2, 2, 3, -2))))


def _sliced(kind: str) -> Draw:
    def draw(d: Drawer) -> str:
        text = d.characters()
        return f"{d.quoted(text)}[{slice_of(d, len(text), kind)}]"

    return draw


def _letter(form: str) -> Draw:
    """Return a function that fills the form: `{c}` is a character, mostly of the string `{s}`.

    `{e}` is another character.
    """

    def draw(d: Drawer) -> str:
        text = d.characters()
        return form.format(s=d.quoted(text), c=d.quoted(d.letter_of(text)), e=d.quoted(d.letter_of("xyz ")))

    return draw


def _piece(form: str, *, at: str = "") -> Draw:
    """Return a function that fills the form: `{p}` is mostly a part of the string `{s}`.

    `at` ("start", "end") prefers a part of its beginning or its end.
    """

    def draw(d: Drawer) -> str:
        text = d.characters()
        n = d.rng.randint(1, 3)
        part = {"start": text[:n], "end": text[-n:]}.get(at) if d.rng.random() < 0.6 else None
        return form.format(s=d.quoted(text), p=d.quoted(part or d.piece_of(text)))

    return draw


def _separated(form: str) -> Draw:
    def draw(d: Drawer) -> str:
        text, separator = d.joined()
        return form.format(s=d.quoted(text), p=d.quoted(separator))

    return draw


def _spaced(d: Drawer) -> str:
    """Draw a literal of a text with spaces."""
    text = " ".join(d.characters(d.rng.randint(1, 6)) for _ in range(9))[: d.length()]
    return d.quoted(text.replace("\n", " ").replace("\t", " "))


def _padded(form: str) -> Draw:
    """Return a function that fills the form: the string `{s}` has spaces, or marks `{p}`, at its ends."""

    def draw(d: Drawer) -> str:
        mark = " " if "p" not in form else d.rng.choice("xyz.-0*")
        ends = [mark * d.rng.randint(0, 3) for _ in range(2)]
        inner = d.characters(max(1, d.length() - len(ends[0] + ends[1])))
        return form.format(s=d.quoted(ends[0] + inner + ends[1]), p=d.quoted(mark))

    return draw


def _two(form: str) -> Draw:
    """Return a function that fills the form with two strings, which are often equal or similar."""

    def draw(d: Drawer) -> str:
        left = d.characters()
        right = d.similar(left) if d.rng.random() < 0.7 else d.characters()
        return form.format(d.quoted(left), d.quoted(right))

    return draw


def _cased(form: str) -> Draw:
    """Return a function that fills the form: the string `{s}` often has one case or only digits."""

    def draw(d: Drawer) -> str:
        text = d.characters()
        kind = d.rng.choice((str, str, str.upper, str.lower, str.title))
        text = kind(text)
        if d.rng.random() < 0.3:
            text = "".join(c for c in text if c.isalnum()) or "a"
        elif d.rng.random() < 0.15:
            text = "".join(d.rng.choices("0123456789", k=len(text)))
        return form.format(s=d.quoted(text))

    return draw


def _width(method: str) -> Draw:
    def draw(d: Drawer) -> str:
        text = d.characters()
        width = len(text) + d.rng.randint(-1, 6)
        mark = f", {d.quoted(d.rng.choice('-*.x0'))}" if method != "zfill" and d.rng.random() < 0.5 else ""
        if method == "zfill":
            text = d.number()
            width = len(text) + d.rng.randint(-1, 4)
        return f"{d.quoted(text)}.{method}({width}{mark})"

    return draw


def _joined(d: Drawer) -> str:
    words = [d.word() for _ in range(d.n_items())]
    return f"{d.rng.choice((*map(d.quoted, (' ', ', ', '-', '')), repr('')))}.join({d.listed(words)})"


def _formatted(d: Drawer) -> str:
    text = d.characters(min(d.length(), 12)).translate({ord(c): "_" for c in "'\"\\\n\t{}"})
    return f"f'{text}{{{d.small_number()}}}{d.rng.choice(('', '!', ' ', '-'))}'"


_CASES = ("upper", "lower", "capitalize", "title", "swapcase", "casefold")
_KINDS = ("isalpha", "isdigit", "isalnum", "isupper", "islower", "isspace", "istitle")
OPERATIONS = (
    Operation("len(s)", _form("len({s})")),
    Operation("s[i]", _at(False)),
    Operation("s[-i]", _at(True)),
    *(Operation(f"s[{kind}]", _sliced(kind)) for kind in ("i:j", "i:", ":j", "i::k")),
    Operation("s[::-1]", _form("{s}[::-1]")),
    Operation("s[::2]", _form("{s}[::2]")),
    Operation("s + t", lambda d: f"{d.text()} + {d.text()}"),
    Operation("s + c", lambda d: f"{d.text()} + {d.text(1)}"),
    Operation("s * n", lambda d: f"{d.text(min(d.length(), 12))} * {d.rng.randint(0, 4)}"),
    Operation("c in s", _letter("{c} in {s}")),
    Operation("c not in s", _letter("{c} not in {s}")),
    Operation("t in s", _piece("{p} in {s}")),
    Operation("s == t", _two("{} == {}")),
    Operation("s != t", _two("{} != {}")),
    Operation("s < t", _two("{} < {}")),
    *(Operation(f"s.{name}()", _form(f"{{s}}.{name}()")) for name in _CASES),
    *(Operation(f"s.{name}()", _cased(f"{{s}}.{name}()")) for name in _KINDS),
    *(Operation(f"s.{name}()", _padded(f"{{s}}.{name}()")) for name in ("strip", "lstrip", "rstrip")),
    *(Operation(f"s.{name}(c)", _padded(f"{{s}}.{name}({{p}})")) for name in ("strip", "lstrip", "rstrip")),
    Operation("s.split()", lambda d: f"{_spaced(d)}.split()"),
    Operation("s.split(t)", _separated("{s}.split({p})")),
    Operation("s.split(t, 1)", _separated("{s}.split({p}, 1)")),
    Operation("s.rsplit(t, 1)", _separated("{s}.rsplit({p}, 1)")),
    Operation("s.partition(t)", _separated("{s}.partition({p})")),
    Operation("s.rpartition(t)", _separated("{s}.rpartition({p})")),
    Operation("s.splitlines()", lambda d: f"{d.quoted(d.joined()[0].replace(' ', chr(10)))}.splitlines()"),
    Operation("s.join(xs)", _joined),
    Operation("s.replace(c, e)", _letter("{s}.replace({c}, {e})")),
    Operation("s.replace(t, '')", _piece("{s}.replace({p}, '')")),
    Operation("s.replace(c, e, 1)", _letter("{s}.replace({c}, {e}, 1)")),
    Operation("s.count(c)", _letter("{s}.count({c})")),
    Operation("s.count(t)", _piece("{s}.count({p})")),
    Operation("s.find(c)", _letter("{s}.find({c})")),
    Operation("s.find(t)", _piece("{s}.find({p})")),
    Operation("s.index(c)", _letter("{s}.index({c})")),
    Operation("s.rfind(c)", _letter("{s}.rfind({c})")),
    Operation("s.rindex(c)", _letter("{s}.rindex({c})")),
    Operation("s.startswith(t)", _piece("{s}.startswith({p})", at="start")),
    Operation("s.endswith(t)", _piece("{s}.endswith({p})", at="end")),
    Operation("s.removeprefix(t)", _piece("{s}.removeprefix({p})", at="start")),
    Operation("s.removesuffix(t)", _piece("{s}.removesuffix({p})", at="end")),
    *(Operation(f"s.{name}(n)", _width(name)) for name in ("ljust", "rjust", "center", "zfill")),
    Operation("list(s)", _form("list({s})")),
    Operation("tuple(s)", _form("tuple({s})")),
    Operation("sorted(s)", _form("sorted({s})")),
    Operation("list(reversed(s))", _form("list(reversed({s}))")),
    Operation("sorted(set(s))", _form("sorted(set({s}))")),
    Operation("len(set(s))", _form("len(set({s}))")),
    Operation("max(s)", _form("max({s})")),
    Operation("min(s)", _form("min({s})")),
    Operation("ord(c)", lambda d: f"ord({d.text(1)})", sizes=("short",)),
    Operation("chr(n)", lambda d: f"chr({d.rng.randint(32, 126)})", sizes=("short",)),
    Operation("str(s)", _form("str({s})")),
    Operation(
        "s or t", lambda d: f"{d.rng.choice((d.text(), repr('')))} {d.rng.choice(('or', 'and'))} {d.text()}"
    ),
    Operation("f'{a}'", _formatted),
    Operation("s.encode()", _form("{s}.encode()")),
    Operation("s.format(a)", lambda d: f"'{{}}-{{}}'.format({d.small_number()}, {d.word()})"),
    Operation("s.translate(t)", _letter("{s}.translate({{ord({c}): {e}}})")),
    Operation("s.isdecimal()", _cased("{s}.isdecimal()")),
    Operation("s.expandtabs(n)", _letter("{s}.expandtabs(4)")),
    Operation("list(enumerate(s))", _form("list(enumerate({s}))")),
)
