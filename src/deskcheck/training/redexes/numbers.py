"""List the primitive operations on numbers, truth values, None and bytes, each with a drawer of redexes.

A redex is an operation on literal operands, such as `3 < 7`. The name of an operation stands in
the tables of scores and may cover related redexes: `a & b` also draws | and ^, `a == None` compares any two
short values, and `len(str(a))` draws `len('42')`.
"""

from __future__ import annotations

from deskcheck.training.redexes.operation import Draw, Operation
from deskcheck.training.redexes.values import Drawer


def _compared(sign: str) -> Draw:
    def draw(d: Drawer) -> str:
        left, right = d.close()
        return f"{left} {sign} {right}"

    return draw


def _short(d: Drawer) -> str:
    """Draw a factor or a divisor of one or two digits."""
    return str(d.rng.randint(2, 9) if d.rng.random() < 0.6 else d.rng.randint(10, 99))


def _product(d: Drawer) -> str:
    left, right = d.number(), _short(d) if d.rng.random() < 0.8 else d.number()
    return f"{left} * {right}"


def _divided(form: str) -> Draw:
    def draw(d: Drawer) -> str:
        return form.format(d.number(0.05), _short(d))

    return draw


def _any(d: Drawer) -> str:
    """Draw a value of any type."""
    kind = d.rng.random()
    if kind < 0.6:
        return d.scalar()
    return d.listed(d.elements()) if kind < 0.8 else d.mapped(d.pairs())


def _mixed(d: Drawer) -> str:
    """Draw a simple value; a third are short ones like 0, '' and None."""
    kind = d.rng.random()
    if kind < 0.35:
        return d.rng.choice(("0", "''", "None", "False", "True", "1", "[]"))
    return d.number() if kind < 0.7 else d.word()


def _chained(d: Drawer) -> str:
    low, high = sorted((int(d.number()), int(d.number())))
    return f"{low} < {d.near(str(d.rng.choice((low, high))))} <= {high}"


def _decimal(d: Drawer) -> str:
    """Draw a float literal with one decimal: 5 in three of five draws, else 0 or 2. `repr` writes it so."""
    return f"{d.rng.randint(-9 if d.rng.random() < 0.1 else 0, 99)}.{d.rng.choice('05255')}"


def _bytes(d: Drawer) -> str:
    return repr("".join(c for c in d.characters() if c.isalnum()).encode())


_TYPES = ("int", "str", "list", "dict", "bool", "tuple")
_SMALL = ("short",)
OPERATIONS = (
    *(Operation(f"a {sign} b", _compared(sign)) for sign in ("<", ">", "<=", ">=", "==", "!=")),
    Operation("a < b <= c", _chained),
    Operation("a + b", lambda d: f"{d.number()} + {d.number()}"),
    Operation("a + 1", lambda d: f"{d.number()} {d.rng.choice('+-')} {d.rng.randint(1, 9)}"),
    Operation("a - b", lambda d: f"{d.number()} - {d.number()}"),
    Operation("a * b", _product),
    Operation("a // b", _divided("{} // {}")),
    Operation("a % b", _divided("{} % {}")),
    Operation("a % 2", lambda d: f"{d.number()} % 2"),
    Operation("a // 10", lambda d: f"{d.natural()} {d.rng.choice(('//', '%'))} 10"),
    Operation("divmod(a, b)", _divided("divmod({}, {})")),
    Operation("a ** b", lambda d: f"{d.rng.randint(0, 12)} ** {d.rng.randint(0, 4)}", sizes=_SMALL),
    Operation("-a", lambda d: f"-{d.natural()}"),
    Operation("abs(a)", lambda d: f"abs({d.number(0.5)})"),
    Operation("max(a, b)", lambda d: f"max({', '.join(d.close())})"),
    Operation("min(a, b)", lambda d: f"min({', '.join(d.close())})"),
    Operation(
        "max(a, b, c)", lambda d: f"{d.rng.choice(('max', 'min'))}({', '.join(d.close())}, {d.number()})"
    ),
    Operation("str(a)", lambda d: f"str({d.number()})"),
    Operation("int(s)", lambda d: f"int({d.quoted(d.number())})"),
    Operation("bool(a)", lambda d: f"bool({_mixed(d)})"),
    Operation("len(str(a))", lambda d: f"len({d.quoted(d.number())})"),
    Operation("bin(a)", lambda d: f"bin({d.rng.randint(0, 255)})", sizes=_SMALL),
    Operation(
        "a & b",
        lambda d: f"{d.rng.randint(0, 63)} {d.rng.choice('&|^')} {d.rng.randint(0, 63)}",
        sizes=_SMALL,
    ),
    Operation(
        "a << b",
        lambda d: f"{d.rng.randint(0, 99)} {d.rng.choice(('<<', '>>'))} {d.rng.randint(0, 5)}",
        sizes=_SMALL,
    ),
    Operation("not a", lambda d: f"not {_mixed(d)}"),
    Operation("a and b", lambda d: f"{_mixed(d)} and {_mixed(d)}"),
    Operation("a or b", lambda d: f"{_mixed(d)} or {_mixed(d)}"),
    Operation("p and q", lambda d: f"{d.truth()} {d.rng.choice(('and', 'or'))} {d.truth()}", sizes=_SMALL),
    Operation(
        "a is None", lambda d: f"{d.rng.choice((_any(d), 'None'))} is {d.rng.choice(('', 'not '))}None"
    ),
    Operation("a == None", lambda d: f"{_mixed(d)} == {_mixed(d)}"),
    Operation("isinstance(a, t)", lambda d: f"isinstance({_any(d)}, {d.rng.choice(_TYPES)})"),
    Operation("str(p)", lambda d: f"str({d.rng.choice(('True', 'False', 'None'))})", sizes=_SMALL),
    Operation("x + y", lambda d: f"{_decimal(d)} {d.rng.choice('+-')} {_decimal(d)}", sizes=_SMALL),
    Operation("x * a", lambda d: f"{_decimal(d)} * {d.rng.choice((2, 4, 10))}", sizes=_SMALL),
    Operation("x < y", lambda d: f"{_decimal(d)} {d.rng.choice('<>')} {_decimal(d)}", sizes=_SMALL),
    Operation("a / b", lambda d: f"{d.number()} / {d.rng.choice((2, 4, 5, 10))}", sizes=_SMALL),
    Operation("int(x)", lambda d: f"{d.rng.choice(('int', 'round', 'abs'))}({_decimal(d)})", sizes=_SMALL),
    Operation(
        "float(s)",
        lambda d: f"float({d.quoted(d.rng.choice((d.number(), _decimal(d))))})",
        sizes=_SMALL,
    ),
    Operation("round(x, n)", lambda d: f"round({d.rng.randint(0, 99)}.{d.number(0)}, 1)", sizes=_SMALL),
    Operation("int(s, b)", lambda d: f"int({bin(d.rng.randint(0, 63))[2:]!r}, 2)", sizes=_SMALL),
    Operation("pow(a, b)", lambda d: f"pow({d.rng.randint(0, 12)}, {d.rng.randint(0, 4)})", sizes=_SMALL),
    Operation("len(bytes)", lambda d: f"len({_bytes(d)})", sizes=_SMALL),
    Operation("s.decode()", lambda d: f"{_bytes(d)}.decode()", sizes=_SMALL),
    Operation("int(p)", lambda d: f"int({d.truth()})", sizes=_SMALL),
)
