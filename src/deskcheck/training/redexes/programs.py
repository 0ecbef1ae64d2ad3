"""Generate short programs with one primitive operation per line: a step from redexes to whole programs.

    write(Random(1)) -> ("def f(nums, x):\n    if 70 <= x:\n        W = 'a'\n    return None\n", '"fqbH", 70')

Operands are mostly parameters, so that a model must find values by their names; some stay literals. An
operation whose value is a truth value becomes a condition half of the time. Programs with a held-out redex
are not made.
"""

from __future__ import annotations

import re
from random import Random

from deskcheck.corpus.expressions import Family
from deskcheck.programs import generated
from deskcheck.records import Program, Trace
from deskcheck.tracing.program import make_program
from deskcheck.training.redexes.rows import NAMES_OF_PROGRAMS
from deskcheck.training.redexes.table import FIRST, OPERATIONS, redex
from deskcheck.training.redexes.values import SIZES, Drawer

BOUNDS = Family("operations", (2, 30), 9_999_999, 80, (1, 4), (1, 6), 0, 0.0)
"""Bounds of programs: 1 to 4 operations, 2 to 30 steps, and the sizes of values in their runs."""
LARGE = Family("operations", (2, 30), 10**18, 200, (1, 4), (1, 6), 0, 0.0)
"""Bounds of programs for training with operands of all sizes."""
SHARES = {"short": 0.85, "middle": 0.15}
"""Size of the operands of a program -> its share of the programs, unless other shares are given."""
OF_COMMON = 0.85
"""Share of common operations among those that are not drawn as frequent ones."""
USUAL = (
    "a - b", "a * b", "a // b", "a % b", "a <= b", "a >= b", "a != b", "s + t", "s[i:j]", "xs[i:j]", "d[k]",
    "xs.append(e)", "e in xs", "not a", "min(xs)", "sum(xs)", "str(a)", "s.strip()", "s.replace(c, e)",
)  # fmt: skip
"""Usual operations in addition to FIRST (`table.py`)."""
NAMED = 0.75
"""Share of the strings and numbers that become parameters."""
OF_PROGRAMS = (
    "a + 1", "min(a, b)", "max(a, b)", "abs(a)", "s[i:]", "s[:j]", "s.title()", "s.find(c)", "xs + [e]",
    "xs.extend(ys)", "xs.insert(i, e)", "xs.pop()", "xs.pop(i)", "xs.sort()", "xs.reverse()", "d.get(k, v)",
    "d.update(e)",
)  # fmt: skip
"""Further operations of generated programs, which are practiced but not scored as usual operations."""
FREQUENT = (
    "a + b", "a - b", "a * b", "a // b", "a % b", "a < b", "a > b", "a <= b", "a >= b", "a == b", "a != b",
)  # fmt: skip
"""The most frequent operations of generated programs."""
OF_FREQUENT = 0.3
"""Share of the operations that are drawn from FREQUENT."""
COMMON = (
    "a < b <= c", "a % 2", "a // 10", "max(a, b, c)", "int(s)", "len(str(a))", "a and b", "a or b",
    "a is None", "isinstance(a, t)", "s * n", "s + c", "s != t", "c not in s", "s.isalpha()",
    "s.isdigit()", "s.isupper()", "s.islower()", "s.capitalize()", "s.swapcase()", "s.split()",
    "s.join(xs)", "s.startswith(t)", "s.endswith(t)", "s.count(t)", "s.find(t)", "s.index(c)",
    "s.lstrip()", "s.rstrip()", "list(s)", "sorted(s)", "xs[i:]", "xs[:j]", "xs[::-1]", "xs + ys",
    "e not in xs", "sorted(xs)", "xs.index(e)", "xs.count(e)", "range(n)", "not xs", "len(d)",
    "d.get(k)", "k in d", "k not in d", "list(d.items())", "list(d.keys())", "xs[i] = e", "xs[i] += e",
    "xs.remove(e)", "d[k] = v", "d[k] += v", "d.pop(k)", "d.setdefault(k, v)",
)  # fmt: skip
"""Further operations that functions of libraries often have."""
PRACTISED = {
    "first": FIRST,
    "frequent": FREQUENT,
    "usual": (*FIRST, *USUAL, *OF_PROGRAMS),
    "common": (*FIRST, *USUAL, *OF_PROGRAMS, *COMMON),
    "all": tuple(OPERATIONS),
}
"""Name in a stage of a preset -> the operations that it practices."""
_LITERAL = re.compile(
    r"[bf]?(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")|(?<![\w.$-])(?:\d+|True|False|None)(?![\w.])"
)
_STRING = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_NAME = re.compile(r"\$\d+")
_CHANGES = re.compile(r"\+=|\bdel ")
ON_LINES = tuple(
    operation
    for operation in OPERATIONS.values()
    if " for " not in operation.name and operation.name not in ("list(map(len, words))", "list(map(str, xs))")
)
"""Operations that may stand on a line of a program: without comprehensions."""
USUAL_ONES = tuple(OPERATIONS[name] for name in (*FIRST, *USUAL))


def write(rng: Random, sizes: dict[str, float] | None = None) -> tuple[str, str] | None:
    """Write one program; return its source and arguments, or None if one of its redexes is held out."""
    shares = sizes or SHARES
    size = rng.choices(list(shares), list(shares.values()))[0]
    drawer = Drawer(rng, SIZES[size], by_name=0.9)
    texts = []
    for _ in range(rng.randint(*BOUNDS.statements)):
        operation = OPERATIONS[_drawn_name(rng)]
        if size not in operation.sizes:
            continue
        example, is_held_out = redex(operation, drawer)
        if is_held_out:
            return None
        is_truth = example.value in ("True", "False")
        texts.append((named(example.text, drawer), is_truth and not operation.mutates))
    return written(texts, drawer) if texts else None


def _drawn_name(rng: Random) -> str:
    if rng.random() < OF_FREQUENT:
        return rng.choice(FREQUENT)
    return rng.choice(PRACTISED["common"]) if rng.random() < OF_COMMON else rng.choice(ON_LINES).name


def written(texts: list[tuple[str, bool]], drawer: Drawer) -> tuple[str, str] | None:
    """Write the program that computes these redexes; return its source and arguments, None without operands.

    `texts`: a redex, and whether it may be a condition. `drawer`: its state holds the operands.
    """
    rng = drawer.rng
    for _ in range(rng.randint(0, 1)):
        drawer.hold(rng.choice((drawer.number, drawer.text, drawer.truth))())
    held = list(drawer.state.items())
    if not held:
        return None
    rng.shuffle(held)
    names = rng.sample([name for name in NAMES_OF_PROGRAMS if name.isidentifier()], len(held) + 2)
    new = {old: name for (old, _), name in zip(held, names[2:], strict=True)}
    lines = [f"def f({', '.join(new[name] for name, _ in held)}):"]
    for text, is_truth in texts:
        lines += _lines(_NAME.sub(lambda found: new[found.group()], text), is_truth, names[:2], rng)
    result = names[0] if any(line.lstrip().startswith(f"{names[0]} =") for line in lines) else "None"
    lines.append(f"    return {rng.choice((result, *new.values()))}")
    return "\n".join(lines) + "\n", ", ".join(literal for _, literal in held)


def _lines(text: str, is_truth: bool, targets: list[str], rng: Random) -> list[str]:
    """Write the lines that compute one operation."""
    target = targets[rng.random() < 0.3]
    if _CHANGES.search(text) or (re.search(r"\] = ", text) is not None):
        return [f"    {text}"]
    if is_truth and rng.random() < 0.5:
        jump = rng.choice(
            (f"if {text}:", f"if {text}:", f"if not {text}:" if " " not in text else f"if {text}:")
        )
        return [f"    {jump}", f"        {target} = {rng.choice(('1', 'True', repr('a')))}"]
    return [f"    {target} = {text}"]


def named(text: str, drawer: Drawer) -> str:
    """Replace most literals of a redex by names in the drawer's state; containers stay as they are."""
    if any(mark in _STRING.sub("", text) for mark in ("[[", "{", "[", "lambda")) and not text.startswith(
        ("'", '"', "$")
    ):
        return text

    def other(match: re.Match[str]) -> str:
        literal = match.group()
        return drawer.hold(literal) if literal[0] not in "bf" and drawer.rng.random() < NAMED else literal

    return _LITERAL.sub(other, text)


def drawn(rng: Random, sizes: dict[str, float] | None = None) -> tuple[Program, Trace] | None:
    """Draw one program and trace it; None if it left its bounds, raised or was held out."""
    found = write(rng, sizes)
    return run_of(*found, LARGE if sizes else BOUNDS) if found else None


def run_of(source: str, arguments: str, bounds: Family = BOUNDS) -> tuple[Program, Trace] | None:
    """Trace a written program; None if it left its bounds or raised."""
    program = make_program(source, "f", arguments, origin="generated:operations", license="Apache-2.0")
    return generated.run_within_bounds(program, bounds)
