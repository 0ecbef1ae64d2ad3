"""Generate drills: programs whose lines are all of one kind, for steps that are rare in generated programs.

    drawn(Random(1)) -> (Program, Trace), or None if the program left its bounds or raised

A model hardly learns a step that it sees now and then, but it learns the step from ten of its kind in one
program (ends of loops in docs/log/training.md). A drill is a function whose lines are all of one kind: sums
of numbers, comparisons, slices, methods of lists, loops over a string, .. Expressions are those of the
generated programs (`corpus/expressions.py`), drawn until they compute something.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from random import Random

from deskcheck.corpus.expressions import DICT, INT, LIST, STR, WORDS, Family
from deskcheck.corpus.grammar import Writer
from deskcheck.errors import UnknownName
from deskcheck.programs import generated
from deskcheck.records import Program, Trace
from deskcheck.tracing.program import make_program

BOUNDS = Family("drill", (2, 60), 9_999, 12, (5, 10), (1, 4), 0, 0.0)
"""Programs of 5 to 10 statements and 2 to 60 steps; integers up to 9,999, containers up to 12 items."""
SLOTS = 3
"""Largest number of variables of one type; more would make the state, and so the question, long."""
_OPERATORS = ("+", "-", "*", "//", "%")
_COMPARISONS = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


class Drill(Writer):
    """Writer of one drill, with the choices that hold for its whole program."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng, BOUNDS)
        self.operator = rng.choice(_OPERATORS)
        self.known: dict[str, int] = {}
        """Variable -> its number, for the kinds of drill that need known values."""
        self.named = rng.choice((0.0, 0.5, 1.0))
        """Share of operands that are variables, on lines with several operations."""
        self.top = rng.choice((9, 9, 20, 99, 999))
        """Largest literal on lines with several operations."""
        self.targets: list[str] = []
        """Names that a line with several values assigns to."""

    def number(self) -> int:
        """Draw a number; large ones are frequent, so that every digit is practiced."""
        return super().number() if self.rng.random() < 0.75 else self.rng.randint(0, 999)

    def factor(self) -> int:
        """Draw a small number, such as a factor of a product."""
        return self.rng.randint(0, 12)

    def put(self, kind: str, value: str) -> None:
        """Write an assignment to one of at most SLOTS names of this type."""
        names = [n for n, t in self.scope.items() if t == kind]
        name = self.rng.choice(names) if len(names) >= SLOTS else self.fresh()
        self.line(1, f"{name} = {value}")
        self.scope[name] = kind

    def operand(self) -> str:
        """Draw a variable with a number, or a literal."""
        return self._leaf(INT, 0.6)

    def small_operand(self) -> str:
        """Draw a variable or a literal by the shares of this drill."""
        name = self.pick(INT) if self.rng.random() < self.named else None
        return name or str(self.rng.randint(-self.top if self.rng.random() < 0.1 else 0, self.top))

    def small_binary(self) -> str:
        """Write one operation on small operands."""
        op = self.operator if self.rng.random() < 0.5 else self.rng.choice(_OPERATORS)
        right = str(self.rng.randint(2, 9)) if op in ("//", "%") else self.small_operand()
        return f"{self.small_operand()} {op} {str(self.factor()) if op == '*' else right}"

    def assign(self, kind: str, write: Callable[[], str]) -> None:
        """Write a line that gives two to four names a value each."""
        if not self.targets:
            self.targets = [self.fresh() for _ in range(self.rng.randint(2, 4))]
        self.line(1, f"{', '.join(self.targets)} = {', '.join(write() for _ in self.targets)}")
        self.scope |= dict.fromkeys(self.targets, kind)

    def binary(self, op: str) -> str:
        """Write an operation on two operands; divisors and factors are small."""
        right = str(self.rng.randint(2, 9)) if op in ("//", "%") else self.operand()
        if op == "*":
            right = str(self.factor())
        return f"{self.operand()} {op} {right}"

    def until_it_computes(self, kind: str, depth: int) -> str:
        """Draw an expression that is neither a name nor a literal."""
        for _ in range(20):
            text = self.value(kind, depth)
            if text not in self.scope and any(mark in text for mark in "(+*%/:.") and text[0] not in "'\"":
                break
        return text


def _arithmetic(w: Drill) -> None:
    """one operation on numbers, mixed"""
    w.put(INT, w.binary(w.rng.choice(_OPERATORS)))


def _one_operator(w: Drill) -> None:
    """one operation on numbers, the same on every line"""
    w.put(INT, w.binary(w.operator))


def _nested(w: Drill) -> None:
    """several operations on numbers"""
    w.put(INT, w.until_it_computes(INT, 2))


def _augmented(w: Drill) -> None:
    """`+=` and the like"""
    name = w.pick(INT)
    op = w.rng.choice(_OPERATORS)
    right = w.rng.randint(2, 9) if op in ("//", "%", "*") else w.operand()
    if name:
        w.line(1, f"{name} {op}= {right}")
    else:
        w.put(INT, w.literal(INT))


def _text(w: Drill) -> None:
    """methods and slices of strings"""
    w.put(STR, w.until_it_computes(STR, 2) if w.pick(STR) and w.rng.random() < 0.85 else w.literal(STR))


def _joined(w: Drill) -> None:
    """strings joined"""
    if (name := w.pick(STR)) and w.rng.random() < 0.6:
        w.line(1, f"{name} += {w._str(0)}")
    else:
        w.put(STR, w.literal(STR))


def _measured(w: Drill) -> None:
    """numbers read off strings, lists, dictionaries"""
    kind = w.rng.choice((STR, LIST, DICT))
    if w.pick(kind) is None or w.rng.random() < 0.15:
        w.put(kind, w.literal(kind))
    else:
        for _ in range(30):
            text = w._int(1)
            if "(" in text or "[" in text:
                break
        w.put(INT, text)


def _listed(w: Drill) -> None:
    """lists from lists"""
    has = w.pick(LIST) is not None and w.rng.random() < 0.85
    w.put(LIST, w.until_it_computes(LIST, 2) if has else w.literal(LIST))


def _changed_list(w: Drill) -> None:
    """methods of lists"""
    w._write_list(1, 0)


def _changed_dict(w: Drill) -> None:
    """dictionaries changed"""
    w._write_dict(1, 0)


def _words(w: Drill) -> None:
    """lists from strings"""
    if w.pick(STR) is None or w.rng.random() < 0.3:
        w.put(STR, w.literal(STR))
    else:
        w.put(WORDS, w.until_it_computes(WORDS, 1))


def _beside(rng: Random, value: int) -> int:
    """Draw a number that is hard to tell from `value`: equal, near, negated, one digit changed or added."""
    text = str(abs(value))
    at = rng.randrange(len(text))
    changed = int(text[:at] + rng.choice("0123456789") + text[at + 1 :])
    sign = -1 if value < 0 else 1
    number = rng.choice(
        (
            value,
            value,
            value + rng.choice((-2, -1, 1, 2)),
            sign * changed,
            sign * int(f"{rng.randint(1, 9)}{text}"),
            -value,
        )
    )
    return number if abs(number) <= 999 else value


def _pair(w: Drill, *, named: float) -> tuple[str, bool]:
    """Write a comparison of numbers; return it with its value.

    `named`: share of the comparisons whose first operand is a variable; then half of the pairs are swapped.
    """
    rng, known = w.rng, w.known
    left, value = rng.choice(list(known.items()))
    if rng.random() >= named:
        value = rng.randint(0, w.top)
        left = str(value)
    others = [name for name in known if name != left]
    if others and rng.random() < 0.4 * named:
        right, other = (name := rng.choice(others)), known[name]
    else:
        other = _beside(rng, value) if rng.random() < 0.5 else w.number()
        right = str(other)
    op = rng.choice(list(_COMPARISONS))
    if rng.choice((False, True)):
        left, value, right, other = right, other, left, value
    return f"{left} {op} {right}", _COMPARISONS[op](value, other)


def _compared(w: Drill) -> None:
    """numbers compared

    Random pairs are rarely equal or close, so half of the pairs are drawn to be close.
    """
    rng, known = w.rng, w.known
    if not known or (len(known) < SLOTS and rng.random() < 0.3):
        _number_named(w)
        return
    text, truth = _pair(w, named=1.0)
    w.line(1, f"if {text}:")
    target = rng.choice(list(known))
    new = _beside(rng, known[rng.choice(list(known))]) if rng.random() < 0.5 else w.number()
    w.line(2, f"{target} = {new}")
    if truth:
        known[target] = new


def _number_named(w: Drill) -> None:
    """Write a line that assigns a number to a new name."""
    name, value = w.fresh(), w.number()
    w.line(1, f"{name} = {value}")
    w.scope[name], w.known[name] = INT, value


def _side_by_side(w: Drill) -> None:
    """several operations on one line

    A question about a line with one operation takes some forty tokens, of which one or two must be computed.
    """
    w.assign(INT, w.small_binary)


def _truths(w: Drill) -> None:
    """several comparisons on one line"""
    if not w.known or w.rng.random() < 0.15:
        _number_named(w)
    else:
        w.assign("bool", lambda: _pair(w, named=w.named)[0])


def _conditions(w: Drill) -> None:
    """conditions"""
    w.line(1, f"if {w.condition()}:")
    w.line(2, f"{w.pick(INT) or 'x'} = {w.factor()}")
    if w.rng.random() < 0.5:
        w.line(1, "else:")
        w.line(2, f"{w.pick(INT) or 'x'} = {w.factor()}")


def _loops(w: Drill) -> None:
    """loops and what is in them"""
    if len(w.lines) < 6:
        w._write_for(1, 1) if w.rng.random() < 0.7 else w._write_while(1, 1)


def _container(w: Drill) -> str:
    """Return the name of a list or string, sometimes of a new one; a quarter of the new ones are empty."""
    named = [name for name, kind in w.scope.items() if kind in (LIST, STR)]
    if len(named) >= SLOTS and w.rng.random() < 0.8:
        return w.rng.choice(named)
    kind = w.rng.choice((LIST, LIST, STR))
    name = w.fresh()
    empty = {LIST: "[]", STR: "''"}
    w.line(1, f"{name} = {empty[kind] if w.rng.random() < 0.25 else w.literal(kind)}")
    w.scope[name] = kind
    return name


def _walked(w: Drill) -> None:
    """loops over lists and strings

    The next element is found by its place, among other lists and strings; some are empty or have one element.
    """
    if len(w.lines) > 9:
        return
    over, item, copy, place = _container(w), *_targets(w, 3)
    if w.rng.random() < 0.3:
        w.line(1, f"for {place}, {item} in enumerate({over}):")
    else:
        w.line(1, f"for {item} in {over}:")
    w.line(2, f"{copy} = {item}")


def _emptied(w: Drill) -> None:
    """whether a list or string is empty"""
    over, (target,) = _container(w), _targets(w, 1)
    if w.scope[over] == LIST and w.rng.random() < 0.3:
        w.line(1, f"while {over}:")
        w.line(2, f"{target} = {over}.pop()")
    else:
        w.line(1, f"if {'not ' if w.rng.random() < 0.3 else ''}{over}:")
        w.line(2, f"{target} = {w.factor()}")


def _targets(w: Drill, n: int) -> list[str]:
    """Return names that are the same on every line. They may be unbound, so they are not in the scope."""
    if not w.targets:
        w.targets = [w.fresh() for _ in range(n)]
    return w.targets


def _moved(w: Drill) -> None:
    """values copied"""
    if len(w.scope) < 3 or w.rng.random() < 0.3:
        kind = w.rng.choice((INT, INT, STR, LIST))
        w.put(kind, w.literal(kind))
    else:
        w.rng.choice((w._write_swap, w._write_unpack, w._write_alias))(1, 0)


Kind = Callable[[Drill], None]
KINDS: tuple[tuple[Kind, float], ...] = (
    (_arithmetic, 4),
    (_one_operator, 3),
    (_nested, 4),
    (_augmented, 2),
    (_text, 7),
    (_joined, 3),
    (_measured, 3),
    (_listed, 5),
    (_changed_list, 3),
    (_changed_dict, 3),
    (_words, 5),
    (_compared, 4),
    (_conditions, 3),
    (_loops, 3),
    (_walked, 2),
    (_emptied, 1),
    (_moved, 7),
    (_side_by_side, 4),
    (_truths, 2),
)
"""Kinds of drill, with the weight of each; kinds that models find harder have larger weights."""
_SHORT = (_side_by_side, _truths)
"""Kinds with few parameters, so that there are many operations per token."""


def title(kind: Kind) -> str:
    """Return the kind of line in words: the first line of the kind's docstring."""
    return (kind.__doc__ or kind.__name__).split("\n")[0]


def named(name: str) -> Kind | None:
    """Return the kind of drill with this name ("compared"); None for "": any kind. UnknownName for others."""
    kinds = {kind.__name__.strip("_"): kind for kind, _ in KINDS}
    if name and name not in kinds:
        raise UnknownName("kind of drill", name, list(kinds))
    return kinds.get(name)


def write(rng: Random, kind: Kind | None = None) -> tuple[str, str]:
    """Write one drill of a kind (None: drawn by weight); return its source and the text of its arguments."""
    if kind is None:
        (kind,) = rng.choices([kind for kind, _ in KINDS], [weight for _, weight in KINDS])
    writer = Drill(rng)
    parameters = []
    kinds = ((INT,), (INT, INT), (INT, STR), (INT, LIST), (STR, LIST, INT))
    for wanted in rng.choice(kinds[:2] if kind in _SHORT else kinds):
        name = writer.fresh()
        writer.scope[name] = wanted
        parameters.append((name, wanted))
    values = [writer.literal(wanted) for _, wanted in parameters]
    writer.known = {
        name: int(value) for (name, wanted), value in zip(parameters, values, strict=True) if wanted == INT
    }
    for _ in range(rng.randint(*BOUNDS.statements)):
        kind(writer)
    writer.line(1, f"return {rng.choice(list(writer.scope))}")
    header = f"def f({', '.join(name for name, _ in parameters)}):"
    return "\n".join([header, *writer.lines]) + "\n", ", ".join(values)


def drawn(rng: Random, kind: Kind | None = None) -> tuple[Program, Trace] | None:
    """Draw one drill and trace it; None if it left its bounds or raised."""
    source, arguments = write(rng, kind)
    program = make_program(source, "f", arguments, origin="generated:drill", license="Apache-2.0")
    return generated.run_within_bounds(program, BOUNDS)
