"""Write the classes in programs of the family `idioms`, and offer their uses to the main function.

    add_class(program)    adds "class Counter:\\n .." to program.parts, and its uses to program.objects

Kinds of values are letters: "I" is an integer (`values.py`). Texts with `$` are templates (`writer.py`).
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from deskcheck.corpus.idioms.writer import Missing, Writer

_NAMES = (
    "Account Counter Node Box Shape Item Stack Meter Queue Player Robot Shelf Order Bag Log "
    "Cache Point Team Track Bank Cell Tally Ledger Cursor Tank Lamp Budget Window Roster Deck"
).split()
# Names of methods that change an object, and of methods that return a value of it.
_CHANGES = (
    "add push update put record feed move tick insert visit store take use step mark apply enter load".split()
)
_ASKS = "total best value score summary report result size_of status get top last rank peek level".split()
_FIELDS = {
    "L": "items values data stack scores log history xs",
    "I": "total count size balance level n steps limit x y score",
    "D": "counts stock table seen prices index",
    "S": "name text label state out",
    "W": "words names lines tags tokens",
    "F": "rate ratio price",
    "Z": "seen marks used",
}
"""Kind of a field -> its possible names."""
# Kind of a field -> value with which it begins.
_STARTS = {"L": "[]", "D": "{}", "W": "[]", "Z": "set()", "I": "0", "S": "''", "F": "0.0"}
# (kind of a field, kind of the argument) -> statements by which a method changes the field `{f}`.
_FEEDS = {
    ("L", "I"): (
        "{f}.append($eI.x)",
        "{f}.append($.x)",
        "{f}.insert(0, $.x)",
        "if $p.x:\n    {f}.append($.x)",
        "if $.x not in {f}:\n    {f}.append($eI.x)",
    ),
    ("I", "I"): (
        "{f} += $eI.x",
        "{f} -= $.x",
        "{f} = max({f}, $.x)",
        "if $p.x:\n    {f} += $.x\nelse:\n    {f} -= 1",
        "{f} = ({f} * $k + $.x) % $h",
        "{f} += 1",
    ),
    ("D", "S"): (
        "{f}[$.x] = {f}.get($.x, 0) + 1",
        "{f}[$eS.x] = $eI.x",
        "{f}.setdefault($.x, $i)",
        "if $.x in {f}:\n    {f}[$.x] += 1\nelse:\n    {f}[$.x] = 1",
    ),
    ("D", "I"): ("{f}[str($.x)] = $eI.x", "{f}['`last~low~a`'] = $.x"),
    ("S", "S"): ("{f} += $eS.x", "{f} = $.x + {f}", "{f} += $.x[:1]", "if $p.x:\n    {f} += $.x"),
    ("W", "S"): (
        "{f}.append($eS.x)",
        "{f}.insert(0, $.x)",
        "if $p.x:\n    {f}.append($.x)",
        "{f}.extend($.x.split($t))",
    ),
    ("Z", "I"): ("{f}.add($eI.x)", "if $.x in {f}:\n    {f}.discard($.x)\nelse:\n    {f}.add($.x)"),
    ("F", "I"): ("{f} += $.x * $y", "{f} = round(({f} + $.x) / 2, 2)"),
    ("I", "S"): ("{f} += len($.x)", "{f} += $.x.count($c)", "if $p.x:\n    {f} += 1"),
    ("L", "S"): ("{f}.append(len($.x))", "{f}.append($eI.x)"),
}


class Object(NamedTuple):
    """A way to make an object of a class, and to use it; `{o}` stands for the object."""

    make: str
    """Call of the class, as a template."""
    changes: list[tuple[str, str]]
    """Calls that change the object: kind of the argument, and the call with `{x}` for the argument."""
    asks: list[tuple[str, str]]
    """Calls that ask the object for a value: kind of the value, and an expression."""


class Definitions:
    """Definitions of a program that is being written, and the objects that its main function may use."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.parts: list[str] = []
        self.objects: list[Object] = []


def add_class(program: Definitions) -> None:
    """Write a dataclass, or a class that may have a subclass, and add its uses to the program."""
    rng = program.rng
    if rng.random() < 0.22:
        program.objects.append(_dataclass(program))
        return
    name = rng.choice(_NAMES)
    kinds = rng.sample(list(_FIELDS), rng.choice((1, 2, 2, 3)))
    if not {"L", "I", "D", "W", "S"} & set(kinds):
        kinds.append("I")
    fields = _named(rng, kinds)
    lines, arguments = _init(rng, fields)
    made = Object(f"{name}({', '.join(arguments)})", [], [])
    for text in _methods(program, name, fields, made):
        lines += ["", *text]
    program.parts.append("\n".join([f"class {name}:", *("    " + line if line else "" for line in lines)]))
    program.objects.append(made)
    if made.changes and rng.random() < 0.3:
        program.objects[-1] = _subclass(program, name, fields, made)


def _named(rng: Random, kinds: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for kind in kinds:
        free = [n for n in _FIELDS[kind].split() if n not in fields]
        fields[rng.choice(free)] = kind
    return fields


def _init(rng: Random, fields: dict[str, str]) -> tuple[list[str], list[str]]:
    parameters, arguments, body = [], [], []
    for name, kind in fields.items():
        luck = rng.random()
        if kind in "ISF" and luck < 0.55:
            parameters.append(name)
            arguments.append("$w" if kind == "S" else f"${kind}")
            body.append(f"self.{name} = {name}")
        elif kind in "LWD" and luck < 0.25:
            parameters.append(name)
            arguments.append(f"$v{kind}")
            body.append(f"self.{name} = {rng.choice(('', {'D': 'dict'}.get(kind, 'list')))}({name})")
        elif kind == "I" and luck < 0.75:
            body.append(f"self.{name} = {rng.randint(0, 9)}")
        else:
            body.append(f"self.{name} = {_STARTS[kind]}")
    return [f"def __init__({', '.join(['self', *parameters])}):", *("    " + one for one in body)], arguments


def _writer(program: Definitions, fields: dict[str, str], returns: str) -> Writer:
    writer = Writer(program.rng, returns)
    writer.scope = {f"self.{name}": kind for name, kind in fields.items()}
    writer.unread = set(writer.scope)
    return writer


def _methods(program: Definitions, name: str, fields: dict[str, str], target: Object) -> list[list[str]]:
    rng = program.rng
    texts = []
    used: set[str] = set(fields)
    for _ in range(rng.choice((1, 1, 1, 2))):
        if (text := _change(program, fields, target, used)) is not None:
            texts.append(text)
    for _ in range(rng.choice((0, 1, 1, 1))):
        texts.append(_ask(program, fields, target, used))
    for special in rng.sample(_special(rng, name, fields), 2)[: rng.choice((0, 0, 1, 1, 2))]:
        lines, *uses = special
        texts.append(lines.split("\n"))
        target.asks.extend((use[0], use[2:]) for use in uses)
    return texts


def _free(rng: Random, names: list[str], used: set[str]) -> str:
    found = rng.choice([one for one in names if one not in used])
    used.add(found)
    return found


def _change(program: Definitions, fields: dict[str, str], target: Object, used: set[str]) -> list[str] | None:
    rng = program.rng
    pairs = [pair for pair in _FEEDS if pair[0] in fields.values()]
    if not pairs:
        return None
    kind, given = rng.choice(pairs)
    field = next(n for n, k in fields.items() if k == kind)
    writer = _writer(program, fields, rng.choice(list(fields.values())))
    parameter = writer.new(given)
    writer.scope[parameter] = given
    labels = {"x": (parameter, given)}
    lines = []
    if rng.random() < 0.2:
        lines += writer.lines_of(
            rng.choice(
                ("if not $p.x:\n    return", "if $p.x:\n    raise ValueError('`bad value~too large`')")
            )
            if rng.random() < 0.4
            else "if $p.x:\n    return",
            0,
            labels,
        )
    lines += writer.lines_of(rng.choice(_FEEDS[kind, given]).replace("{f}", f"self.{field}"), 0, labels)
    if rng.random() < 0.5:
        lines += writer.block(1, rng.choice((0, 0, 1)))
    luck = rng.random()
    if luck < 0.2:
        lines.append("return self")
    elif luck < 0.45:
        lines.append(f"return self.{field}")
    method = _free(rng, _CHANGES, used)
    target.changes.append((given, f"{{o}}.{method}({{x}})"))
    return [f"def {method}(self, {parameter}):", *("    " + line for line in lines)]


def _ask(program: Definitions, fields: dict[str, str], target: Object, used: set[str]) -> list[str]:
    rng = program.rng
    returns = rng.choice(("I", "I", "S", "L", "B", "F", "W"))
    writer = _writer(program, fields, returns)
    lines = writer.block(1, 1) if rng.random() < 0.4 else []
    lines = [line for line in lines if not line.startswith("return")]
    lines.append(f"return {writer.result(2)}")
    method = _free(rng, _ASKS, used)
    is_property = rng.random() < 0.3
    target.asks.append((returns, f"{{o}}.{method}{'' if is_property else '()'}"))
    head = ["@property"] if is_property else []
    return [*head, f"def {method}(self):", *("    " + line for line in lines)]


def _special(rng: Random, name: str, fields: dict[str, str]) -> list[tuple[str, ...]]:
    """Return special methods that suit the fields: each its text, and its uses as kind and expression."""
    first, *_ = fields
    sized = [n for n, k in fields.items() if k in "LWDSZ"]
    whole = [n for n, k in fields.items() if k == "I"]
    shown = ", ".join(f"{{self.{n}}}" for n in list(fields)[:2])
    pairs: list[tuple[str, ...]] = [
        (f"def __repr__(self):\n    return f'{name}({shown})'", "S repr({o})", "S str([{o}])"),
        (f"def __str__(self):\n    return f'<{shown}>'", "S str({o})"),
        (f"def __eq__(self, other):\n    return self.{first} == other.{first}", "B {o} == {o}"),
    ]
    for n in sized:
        pairs += [
            (f"def __len__(self):\n    return len(self.{n})", "I len({o})"),
            (f"def __bool__(self):\n    return len(self.{n}) > {rng.randint(0, 2)}", "B bool({o})"),
        ]
        if fields[n] != "S":
            item = "I" if fields[n] in "LZ" else "S"
            pairs.append((f"def __contains__(self, x):\n    return x in self.{n}", f"B ${item} in {{o}}"))
        if fields[n] == "L":
            pairs += [
                (
                    f"def __iter__(self):\n    return iter(self.{n})",
                    "I sum({o})",
                    "L list({o})",
                    "L sorted({o})",
                ),
                (
                    f"def __iter__(self):\n    for x in self.{n}:\n        yield x * {rng.randint(2, 5)}",
                    "I sum({o})",
                ),
                (
                    f"def __getitem__(self, i):\n    return self.{n}[i % len(self.{n})] if self.{n} else 0",
                    "I {o}[$r]",
                ),
            ]
    for n in whole:
        pairs += [
            (f"def __lt__(self, other):\n    return self.{n} < other.{n}", "B {o} < {o}"),
            (f"def __call__(self, x):\n    return x {rng.choice('+*-')} self.{n}", "I {o}($I)"),
            (f"def __add__(self, x):\n    return self.{n} + x", "I {o} + $I"),
        ]
    pairs.append(
        (
            f"@staticmethod\ndef scale(x):\n    return x * {rng.randint(2, 9)} {rng.choice('+-')} 1",
            f"I {name}.scale($I)",
        )
    )
    return pairs


def _subclass(program: Definitions, base: str, fields: dict[str, str], target: Object) -> Object:
    rng = program.rng
    name = rng.choice(("Big", "Fast", "Sub", "Super", "Safe", "Bonus", "Loud")) + base
    kind, change = rng.choice(target.changes)
    method = change.split(".")[1].split("(")[0]
    writer = _writer(program, fields, "I")
    parameter = writer.new(kind)
    writer.scope[parameter] = kind
    inner = writer.focused(parameter, kind, kind)
    lines = [f"def {method}(self, {parameter}):"]
    if rng.random() < 0.35:
        lines += [
            f"    if {writer._about(parameter, kind)}:",
            f"        return super().{method}({parameter})",
        ]
    lines.append(f"    {rng.choice(('return ', ''))}super().{method}({inner})")
    if not lines[-1].strip().startswith("return") and rng.random() < 0.4:
        lines += ["    " + line for line in writer.block(1, 0)]
    program.parts.append("\n".join([f"class {name}({base}):", *("    " + line for line in lines)]))
    return target._replace(make=name + target.make[len(base) :])


def _dataclass(program: Definitions) -> Object:
    rng = program.rng
    name = rng.choice(_NAMES)
    kinds = rng.sample("SIIF", rng.choice((2, 2, 3)))
    fields = _named(rng, kinds)
    words = {"S": "str", "I": "int", "F": "float"}
    lines = [f"{n}: {words[k]}" for n, k in fields.items()]
    if rng.random() < 0.3:
        lines[-1] += f" = {_STARTS[kinds[-1]]}"
    made = Object(f"{name}({', '.join('$w' if k == 'S' else '$' + k for k in fields.values())})", [], [])
    made.asks.extend((k, f"{{o}}.{n}") for n, k in fields.items())
    used = set(fields)
    for _ in range(rng.choice((0, 1, 1))):
        lines += ["", *_ask(program, fields, made, used)]
    if (change := _change(program, fields, made, used)) is not None and rng.random() < 0.8:
        lines += ["", *change]
    else:
        made.changes.clear()
    head = rng.choice(("@dataclass", "@dataclass", "@dataclass(order=True)"))
    program.parts.append("\n".join([head, f"class {name}:", *("    " + one if one else "" for one in lines)]))
    return made


def uses_of(writer: Writer, target: Object) -> list[str]:
    """Write statements that make an object and change it; give the writer the calls that read its values."""
    rng = writer.rng
    name = rng.choice(("obj", "acc", "box", "a", "s", "m", "it", "p", "q", "thing", "cur"))
    if name in writer.scope:
        name = "obj"
    writer.reserved.add(name)
    lines: list[str] = []
    writer.hoists = True
    make = target.make
    try:
        lines += writer.lines_of(f"{name} = {make}", 1)
    except Missing:
        for kind in "LWD":
            make = make.replace(f"$v{kind}", f"$s{kind}")
        lines += writer.lines_of(f"{name} = {make}", 1)
    for _ in range(rng.choice((1, 1, 2)) if target.changes else 0):
        kind, change = rng.choice(target.changes)
        change = change.replace("{o}", name)
        loops = (
            ("for $lI.x in $vL:\n    {c}", "for $lI.x in range($k):\n    {c}")
            if kind == "I"
            else ("for $lS.x in $vW:\n    {c}", "for $lC.x in $vS:\n    {c}")
        )
        template = rng.choice((*loops, "")).replace("{c}", change.replace("{x}", f"$e{kind}.x"))
        try:
            lines += writer.lines_of(template or change.replace("{x}", f"${kind}"), 1)
        except Missing:
            lines += writer.lines_of(change.replace("{x}", f"${kind}"), 1)
    lines = [*writer.hoisted, *lines]
    writer.hoisted, writer.hoists = [], False
    for kind, ask in target.asks:
        writer.calls += [(kind, ask.replace("{o}", name))]
    if target.asks:
        kind, ask = rng.choice(target.asks)
        lines += writer.called(kind, ask.replace("{o}", name))
    return lines
