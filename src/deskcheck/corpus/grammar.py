"""Write random Python functions, typed so that most of them run without an error.

    write_program(Random("easy:1:17"), FAMILIES["easy"])
    -> Written("def f(w, out, k):\\n    while k > 0:\\n ...", "f", "[1], 2, 6", ("list", "int", "int"))

Every choice comes from the given Random, so a seed determines a program. The weights of constructs and
methods were set by hand, close to uniform, and without regard to any benchmark. The caller has to run a
program to find out whether it keeps to its family's bounds on steps and sizes.
"""

from __future__ import annotations

from random import Random

from deskcheck.corpus.expressions import DICT, INT, LIST, NAMES, STR, WORDS, Expressions, Family, Written

# Kind of statement, which `_write_KIND` writes, and how often it is drawn among 103.
_STATEMENTS = (
    ("assign", 16),
    ("augment", 12),
    ("if", 14),
    ("for", 13),
    ("while", 6),
    ("list", 14),
    ("dict", 6),
    ("string", 10),
    ("alias", 2),
    ("swap", 3),
    ("unpack", 2),
    ("call", 4),
    ("delete", 1),
)


class Writer(Expressions):
    """A function that is being written: its lines, and the types of the variables in scope."""

    def __init__(self, rng: Random, family: Family) -> None:
        super().__init__(rng, family)
        self.lines: list[str] = []
        self.loops = 0  # around the line that is being written
        self.helper = ""  # name of the helper function; "" = none

    def line(self, indent: int, text: str) -> None:
        """Write a line, `indent` levels deep."""
        self.lines.append("    " * indent + text)

    def block(self, indent: int, count: int, depth: int) -> None:
        """Write up to `count` random statements, with at most `depth` levels of blocks inside."""
        kinds, weights = zip(*_STATEMENTS, strict=True)
        before = len(self.lines)
        for _ in range(count):
            kind = self.rng.choices(kinds, weights)[0]
            if kind in ("if", "for", "while") and depth <= 0:
                kind = "augment"
            getattr(self, f"_write_{kind}")(indent, depth)
        if len(self.lines) == before:
            self._write_assign(indent, depth)

    def _inner(self, indent: int, depth: int) -> None:
        """Write a nested block; names that only it binds are out of scope after it."""
        outside = dict(self.scope)
        self.block(indent + 1, self.rng.choice((1, 1, 2)), depth - 1)
        self.scope = outside

    def _write_assign(self, indent: int, depth: int) -> None:
        kind = self.rng.choices((INT, STR, LIST, WORDS, DICT), (8, 3, 3, 1, 1))[0]
        value = self.value(kind)
        name = self.pick(kind, writable=True) if self.rng.random() < 0.35 else None
        name = name or self.fresh()
        self.line(indent, f"{name} = {value}")
        self.scope[name] = kind

    def _write_augment(self, indent: int, depth: int) -> None:
        rng = self.rng
        name = self.pick(INT, writable=True)
        text = self.pick(STR, writable=True)
        if text and (name is None or rng.random() < 0.25):
            self.line(indent, f"{text} += {self._str(0)}")
        elif name:
            op = rng.choice(("+=", "+=", "-=", "*=", "//=", "%="))
            self.line(
                indent, f"{name} {op} {rng.randint(2, 9) if op in ('//=', '%=', '*=') else self._int(1)}"
            )
        else:
            self._write_assign(indent, depth)

    def _write_if(self, indent: int, depth: int) -> None:
        rng = self.rng
        self.line(indent, f"if {self.condition()}:")
        if self.loops and rng.random() < 0.12:
            self.line(indent + 1, rng.choice(("break", "continue")))
        elif rng.random() < 0.08:
            self.line(indent + 1, f"return {self.value(rng.choice((INT, STR, LIST)), 1)}")
        else:
            self._inner(indent, depth)
        if rng.random() < 0.2:
            self.line(indent, f"elif {self.condition()}:")
            self._inner(indent, depth)
        if rng.random() < 0.45:
            self.line(indent, "else:")
            self._inner(indent, depth)

    def _write_for(self, indent: int, depth: int) -> None:
        rng = self.rng
        low, high = self.family.loop_length
        name = self.fresh()
        kinds = [kind for kind in (LIST, STR, WORDS) if self.pick(kind)]
        kind = rng.choice(kinds) if kinds and rng.random() < 0.6 else ""
        outside, frozen = dict(self.scope), set(self.frozen)
        if kind:
            over = self.pick(kind) or ""
            index = self.fresh() if rng.random() < 0.12 else ""
            self.frozen.add(over)
            if index and index != name:
                self.line(indent, f"for {index}, {name} in enumerate({over}):")
                self.scope[index] = INT
                self.frozen.add(index)
            else:
                self.line(indent, f"for {name} in {over}:")
            self.scope[name] = INT if kind == LIST else STR
        else:
            count = rng.randint(low, high)
            start = rng.choice(("", "", "", "1, ", "2, "))
            # With a start the end is one more: range(1, n + 1), range(2, n + 1).
            self.line(indent, f"for {name} in range({start}{count + len(start) // 3}):")
            self.scope[name] = INT
        self.frozen.add(name)
        self.loops += 1
        inside = dict(self.scope)
        self.block(indent + 1, rng.choice((1, 1, 2, 2, 3)), depth - 1)
        self.loops -= 1
        self.scope, self.frozen = outside, frozen
        if inside and rng.random() < 0.04:
            self.line(indent, "else:")
            self._inner(indent, depth)

    def _write_while(self, indent: int, depth: int) -> None:
        rng = self.rng
        name = self.pick(INT, writable=True)
        low, high = self.family.loop_length
        if name is None:
            name = self.fresh()
            self.line(indent, f"{name} = {rng.randint(low, high)}")
            self.scope[name] = INT
        style = rng.randrange(3)
        if style == 0:
            self.line(indent, f"while {name} > 0:")
            change = rng.choice((f"{name} -= {rng.randint(1, 3)}", f"{name} //= {rng.randint(2, 4)}"))
        elif style == 1:
            self.line(indent, f"while {name} < {rng.randint(5, 30)}:")
            change = rng.choice(
                (f"{name} += {rng.randint(2, 7)}", f"{name} = {name} * 2 + {rng.randint(1, 5)}")
            )
        else:
            numbers = self.pick(LIST, writable=True)
            if numbers is None:
                numbers = self.fresh()
                self.line(indent, f"{numbers} = {self.literal(LIST)}")
                self.scope[numbers] = LIST
            self.line(indent, f"while {numbers}:")
            change = f"{name} += {numbers}.pop({rng.choice(('', '', '0'))})"
            self.frozen.add(numbers)
        outside, frozen = dict(self.scope), set(self.frozen)
        self.frozen.add(name)
        self.loops += 1
        self.line(indent + 1, change)
        self.block(indent + 1, rng.choice((1, 1, 2)), depth - 1)
        self.loops -= 1
        self.scope, self.frozen = outside, frozen

    def _write_list(self, indent: int, depth: int) -> None:
        rng = self.rng
        name = self.pick(LIST, writable=True)
        if name is None:
            name = self.fresh()
            self.line(indent, f"{name} = {'[]' if rng.random() < 0.5 else self.literal(LIST)}")
            self.scope[name] = LIST
            return
        value = self._int(1)
        options = [
            f"{name}.append({value})",
            f"{name}.append({value})",
            f"{name}.append({value})",
            f"{name}.insert({rng.choice(('0', '0', '1'))}, {value})",
            f"{name}.extend([{value}, {self._int(0)}])",
            f"{name}.reverse()",
            f"{name}.sort()",
            f"{name} += [{value}]",
        ]
        if rng.random() < self.family.raising:
            options = [
                f"{name}.pop()",
                f"{name}[{rng.choice(('0', '-1', '1'))}] = {value}",
                f"{name}.remove({value})",
            ]
        elif rng.random() < 0.35:
            self.line(indent, f"if {name}:")
            indent += 1
            options = [
                f"{name}[{rng.choice(('0', '-1'))}] = {value}",
                f"{name}.pop({rng.choice(('', '0'))})",
                f"{name}[{rng.choice(('0', '-1'))}] += {value}",
            ]
        self.line(indent, rng.choice(options))

    def _write_dict(self, indent: int, depth: int) -> None:
        rng = self.rng
        name = self.pick(DICT, writable=True)
        if name is None:
            name = self.fresh()
            self.line(indent, f"{name} = {'{}' if rng.random() < 0.6 else self.literal(DICT)}")
            self.scope[name] = DICT
            return
        key = self.pick(STR) if rng.random() < 0.6 else None
        key = key or repr(rng.choice("abcxyz"))
        options = [
            f"{name}[{key}] = {self._int(1)}",
            f"{name}[{key}] = {name}.get({key}, 0) + {rng.randint(1, 3)}",
            f"{name}.update({{{key}: {self._int(0)}}})",
            f"{name}.pop({key}, None)",
            f"{name}.setdefault({key}, {self._int(0)})",
        ]
        if rng.random() < self.family.raising:
            options = [f"del {name}[{key}]", f"{name}[{key}] += {rng.randint(1, 5)}"]
        self.line(indent, rng.choice(options))

    def _write_string(self, indent: int, depth: int) -> None:
        name = self.pick(STR, writable=True)
        value = self._str(2)
        if name is None or self.rng.random() < 0.3:
            name = self.fresh()
        self.line(indent, f"{name} = {value}")
        self.scope[name] = STR

    def _write_alias(self, indent: int, depth: int) -> None:
        kind = self.rng.choice((LIST, LIST, DICT))
        old = self.pick(kind)
        if old is None:
            return
        new = self.fresh()
        self.line(indent, f"{new} = {old}")
        self.scope[new] = kind
        if old in self.frozen:
            self.frozen.add(new)

    def _write_swap(self, indent: int, depth: int) -> None:
        names = [n for n, t in self.scope.items() if t == INT and n not in self.frozen]
        if len(names) >= 2:
            a, b = self.rng.sample(names, 2)
            self.line(indent, f"{a}, {b} = {b}, {self.rng.choice((a, f'{a} + {b}', f'{a} - 1'))}")

    def _write_unpack(self, indent: int, depth: int) -> None:
        a, value = self.fresh(), self._int(1)
        self.scope[a] = INT
        b = self.fresh()
        self.line(indent, f"{a}, {b} = {value}, {self._int(0)}")
        self.scope[b] = INT

    def _write_call(self, indent: int, depth: int) -> None:
        if not self.helper:
            return
        name = self.fresh()
        self.line(indent, f"{name} = {self.helper}({self._int(1)})")
        self.scope[name] = INT

    def _write_delete(self, indent: int, depth: int) -> None:
        names = [n for n in self.scope if n not in self.frozen]
        if len(names) > 3 and not self.loops and indent == 1:
            gone = self.rng.choice(names)
            self.line(indent, f"del {gone}")
            del self.scope[gone]


def _returned(writer: Writer) -> str:
    """Return an expression for the return statement: most often one of the last variables that were bound."""
    rng = writer.rng
    names = list(writer.scope)
    recent = names[-4:]
    choice = rng.random()
    if choice < 0.6:
        return rng.choice(recent)
    if choice < 0.72 and len(names) > 1:
        return ", ".join(rng.sample(names, 2))
    return writer.value(rng.choice((INT, INT, STR, LIST)), 1)


def _helper(writer: Writer) -> list[str]:
    """Return the lines of a helper function of one number, which the writer's calls name from then on."""
    rng = writer.rng
    writer.helper = rng.choice(("g", "h", "step", "change", "calc"))
    name = rng.choice(NAMES)
    inner = Writer(rng, writer.family)
    inner.scope = {name: INT}
    lines = [f"def {writer.helper}({name}):"]
    if rng.random() < 0.4:
        lines += [f"    if {inner.condition()}:", f"        return {inner.value(INT, 1)}"]
    return [*lines, f"    return {inner.value(INT)}", "", ""]


def write_program(rng: Random, family: Family) -> Written:
    """Write one random function and the arguments of one call."""
    writer = Writer(rng, family)
    header = _helper(writer) if rng.random() < 0.12 else []
    parameters = []
    for _ in range(rng.choice((1, 1, 2, 2, 3))):
        name = writer.fresh()
        kind = rng.choices((INT, STR, LIST, WORDS, DICT), (6, 4, 4, 1, 1))[0]
        writer.scope[name] = kind
        parameters.append((name, kind))
    arguments = ", ".join(writer.literal(kind) for _, kind in parameters)
    has_handler = rng.random() < family.raising / 2
    indent = 2 if has_handler else 1
    if has_handler:
        writer.line(1, "try:")
        before = dict(writer.scope)
    writer.block(indent, rng.randint(*family.statements), family.depth)
    if has_handler:
        writer.line(indent, f"return {_returned(writer)}")
        writer.scope = before
        writer.line(
            1,
            rng.choice(
                ("except IndexError:", "except (IndexError, KeyError):", "except Exception as error:")
            ),
        )
        writer.line(2, f"return {rng.choice(('-1', 'None', repr('error'), rng.choice(list(before))))}")
    else:
        writer.line(1, f"return {_returned(writer)}")
    entry = "f" if rng.random() < 0.7 else rng.choice(("solve", "main", "run", "compute", "work"))
    lines = [*header, f"def {entry}({', '.join(name for name, _ in parameters)}):", *writer.lines]
    return Written("\n".join(lines) + "\n", entry, arguments, tuple(kind for _, kind in parameters))
