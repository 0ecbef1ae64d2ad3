"""Fill the templates of the family `idioms`: write expressions, statements and whole function bodies.

    writer = Writer(Random(5), "I")
    writer.scope["nums"] = "L"                      a list of integers is in scope
    writer.fill("sum($eI.x for $lI.x in $vL)", 1)   -> "sum(min(d, 9) for d in nums)"

A template is source text with holes. Alternatives stand between backquotes, separated by tildes; one of them
is drawn. A hole is `$`, lower-case letters for its role, a capital for the kind of value (`values.py`), and
perhaps a label `.x`. `$.x` repeats the text of the hole with that label. In templates about one variable, `@`
stands for that variable.

    $I       an expression of kind I               $sI  a literal
    $vI      a variable                            $uI  a variable that may change
    $fL      a variable that is not empty          $zL  a variable that is not empty and may change
    $nI.a    a new variable                        $lI.x  a variable of a loop, or a parameter
    $gI.f    a function's name                     $eI.x  an expression of x     $p.x  a condition on x
    $k 2..9  $i 0..20  $h 10..99  $r 0..3  $o 0 or 1  $y a float
    $c a character   $w a word   $q the name of a state   $t a separator   $j a separator for `join`
    $ret     the value that the function returns   $block  statements, alone on its line
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

from deskcheck.corpus.idioms.templates import expressions, statements
from deskcheck.corpus.idioms.values import Values

_HOLE = re.compile(r"\$([a-z]*)([A-Z]?)(?:\.([a-z])(?![a-zA-Z_]))?")
_CHOICE = re.compile(r"`([^`]*)`")
# Text before and text after an expression between which it needs no brackets.
_OPENS = re.compile(r"(?:[(\[{,=:]|\breturn|\bin|\bif|\belif|\bwhile|\byield|\bnot in)\s*$|^$")
_CLOSES = re.compile(r"\s*(?:[)\]},:]|$|\n| for )")
_STRINGS = re.compile(r"'(?:[^'\\]|\\.)*'")
_BRACKETS = re.compile(r"\([^()\[\]{}]*\)|\[[^()\[\]{}]*\]|\{[^()\[\]{}]*\}")
# Lines that may empty the variables in them; that assign an empty value; that fill or change a variable.
_SHRINKS = re.compile(r"\.pop|^del |\.clear|while ")
_NOTHING = re.compile(r"(\w+) = (?:''|\[\]|\{\}|set\(\))$")
_GROWS = re.compile(r" [-+|]?= |\.(?:append|add|extend|insert|update|setdefault)\(")
_WORD = re.compile(r"[A-Za-z_][\w.]*")
_JOINS = re.compile(r" (?:and|or|if) |^not |lambda")
_AND = re.compile(r"\b(?:and|or)\s*$")
_BEFORE = re.compile(r" (?:and|or|else) ")
# Kind -> value with which a variable begins that may change; kind -> names of loop variables.
_EMPTY = {"I": "0", "S": "''", "L": "[]", "W": "[]", "D": "{}", "Z": "set()", "M": "{}", "K": "{}", "G": "[]"}
_LOOPED = {
    "I": "x v n num a b i e y d z val item",
    "S": "w s word name key part k item t",
    "C": "c ch ch s char x",
    "L": "row r xs line group",
    "T": "p t pair col item",
    "D": "kwargs opts",
    "F": "x p v r",
}
_INDICES = ("i", "i", "j", "idx", "k", "pos")
_FUNCTIONS = "f g h inner step helper apply check change score key_of fix norm walk pick gen adjust".split()


class Missing(Exception):
    """Raised when no variable in scope fits a hole."""


class Writer(Values):
    """A function that is being written: its variables, and the calls that its body may make.

    `returns` is the kind of its result.
    """

    def __init__(self, rng: Random, returns: str) -> None:
        super().__init__(rng)
        self.returns = returns
        self.scope: dict[str, str] = {}  # variable -> kind
        self.full: set[str] = set()  # variables that are not empty
        self.frozen: set[str] = set()  # variables that must not change here
        self.reserved: set[str] = set()  # further names that are taken
        self.calls: list[tuple[str, str]] = []  # kind of the result, template of the call
        self.hoisted: list[str] = []  # assignments to write before the current statement
        self.hoists = False  # whether such assignments may be added
        self.loops = 0  # around the line that is being written
        self.unread: set[str] = set()
        """Parameters and variables that nothing has read yet, which are preferred."""
        self.reads: list[str] = []
        """Variables that the text so far reads, in order."""
        self.empty: set[str] = set()
        """Variables whose value is empty so far."""

    # -------------------------------------------------------------- names

    def new(self, kind: str) -> str:
        """Return a name that is not in use."""
        return self.name(kind, {*self.scope, *self.reserved})

    def _looped(self, kind: str, label: str) -> str:
        names = _INDICES if label in "ij" and kind == "I" else tuple(_LOOPED.get(kind, "x v").split())
        for _ in range(4):
            name = self.rng.choice(names)
            if name not in self.scope and name not in self.reserved:
                return name
        return self.new(kind)

    def variable(self, kind: str, *, writable: bool = False, full: bool = False) -> str:
        """Return a variable in scope; those that were bound last are the most frequent.

        Without one, assign a new variable before the statement if `hoists` allows it, else raise Missing.
        """
        names = [
            n
            for n, k in self.scope.items()
            if k == kind and not (writable and n in self.frozen) and not (full and n not in self.full)
        ]
        if not writable:
            names = [n for n in names if n not in self.empty] or (names if self.rng.random() < 0.1 else [])
        fresh = [n for n in names if n in self.unread]
        if names:
            luck = self.rng.random()
            name = self.rng.choice(fresh if fresh and luck < 0.6 else names[-2:] if luck < 0.8 else names)
            return self._read(name)
        if (
            not self.hoists
            or (not writable and self.rng.random() < 0.92)
            or (writable and kind not in _EMPTY)
        ):
            raise Missing(kind)
        name = self.new(kind)
        self.hoisted.append(f"{name} = {_EMPTY[kind] if writable and not full else self.literal(kind)}")
        self.scope[name] = kind
        if full or not writable:
            self.full.add(name)
        elif kind != "I":
            self.empty.add(name)
        return name

    def _read(self, name: str) -> str:
        self.unread.discard(name)
        self.reads.append(name)
        return name

    # -------------------------------------------------------------- expressions

    def expression(self, kind: str, depth: int) -> str:
        """Write an expression of a kind, made from variables in scope, literals and calls."""
        rng = self.rng
        if depth <= 0 or (depth < 2 and rng.random() < 0.45):
            return self._leaf(kind)
        calls = [text for k, text in self.calls if k == kind]
        if calls and rng.random() < 0.35:
            try:
                return self.fill(rng.choice(calls), depth - 1)
            except Missing:
                pass
        templates = expressions().get(kind)
        for _ in range(10 if templates else 0):
            n_reads = len(self.reads)
            try:
                text = self.fill(rng.choice(templates or ()), depth - 1)
            except Missing:
                continue
            if len(self.reads) > n_reads or rng.random() < 0.06:
                return text
        return self._leaf(kind)

    def _leaf(self, kind: str) -> str:
        names = [n for n, k in self.scope.items() if k == kind and n not in self.empty]
        if names and self.rng.random() < 0.75:
            fresh = [n for n in names if n in self.unread]
            name = self.rng.choice(fresh or (names[-3:] if self.rng.random() < 0.6 else names))
            return self._read(name)
        if kind == "B":
            return self.condition()
        if kind == "I" and self.rng.random() < 0.8:
            return str(self.rng.randint(0, 12))
        if kind == "S":
            return repr(self.word() if self.rng.random() < 0.6 else self.rng.choice("abcdeinorst-+x"))
        if kind == "T":
            return f"({self._leaf('I')}, {self._leaf('S')})"
        return self.literal(kind)

    def condition(self) -> str:
        """Write a condition on a variable in scope."""
        names = [(n, k) for n, k in self.scope.items() if f"{k} ?" in expressions()]
        if not names:
            return f"{self._leaf('I')} > {self.rng.randint(0, 9)}"
        fresh = [pair for pair in names if pair[0] in self.unread]
        name, kind = self.rng.choice(fresh or names[-4:])
        return self._about(self._read(name), kind)

    def _about(self, name: str, kind: str) -> str:
        for _ in range(8):
            try:
                template = self.rng.choice(expressions().get(f"{kind} ?") or expressions()["I ?"]).replace(
                    "@", name
                )
                return self.fill(template, 0)
            except Missing:
                continue
        return f"{name} > 1" if kind == "I" else f"{name} != 'a'"

    def focused(self, name: str, kind: str, wanted: str) -> str:
        """Write an expression of the wanted kind that depends on one variable."""
        templates = expressions().get(f"{kind} {wanted}")
        for _ in range(6 if templates else 0):
            try:
                return self.fill(self.rng.choice(templates or ()).replace("@", name), 0, {"": (name, kind)})
            except Missing:
                continue
        return name if kind == wanted else f"len({name})" if kind in "LST" else f"str({name})"

    # -------------------------------------------------------------- templates

    def fill(self, template: str, depth: int, labels: dict[str, tuple[str, str]] | None = None) -> str:
        """Write out a template for an expression; Missing if nothing in scope fits."""
        labels = {} if labels is None else labels
        text = self._with_choices(template)
        reserved = set(self.reserved)
        self._allocate(text, labels)
        try:
            return self._filled(text, depth, labels)
        finally:
            self.reserved = reserved

    def _with_choices(self, template: str) -> str:
        return _CHOICE.sub(lambda found: self.rng.choice(found[1].split("~")), template)

    def _allocate(self, text: str, labels: dict[str, tuple[str, str]]) -> None:
        """Choose the names of all new variables of a template, which may be used before they are bound."""
        for hole in _HOLE.finditer(text):
            mode, kind, label = hole[1], hole[2], hole[3]
            if mode not in ("n", "N", "l", "g") or not label or label in labels:
                continue
            if mode == "l":
                name = self._looped(kind, label)
            elif mode == "g":
                free = [f for f in _FUNCTIONS if f not in self.scope and f not in self.reserved]
                name = self.rng.choice(free)
            else:
                name = self.new(kind)
            self.reserved.add(name)
            labels[label] = (name, kind)

    def _filled(self, text: str, depth: int, labels: dict[str, tuple[str, str]]) -> str:
        parts: list[str] = []
        at = 0
        for hole in _HOLE.finditer(text):
            parts.append(text[at : hole.start()])
            at = hole.end()
            value = self._hole(hole[1], hole[2], hole[3], depth, labels)
            if hole[1] in ("", "e", "ret", "p") and hole[2] + hole[1] and _composite(value):
                before = "".join(parts)
                simple = (hole[1] == "p" or hole[2] == "B") and not _JOINS.search(value)
                opens = _OPENS.search(before) or (simple and _AND.search(before))
                closes = _CLOSES.match(text, at) or (simple and _BEFORE.match(text, at))
                if not (opens and closes):
                    value = f"({value})"
            parts.append(value)
        parts.append(text[at:])
        return "".join(parts)

    def _hole(
        self, mode: str, kind: str, label: str | None, depth: int, labels: dict[str, tuple[str, str]]
    ) -> str:
        if mode in ("e", "p"):
            name, own = labels[label or ""]
            return self._about(name, own) if mode == "p" else self.focused(name, own, kind or own)
        if label and label in labels:
            return labels[label][0]
        if mode == "":
            value = self.expression(kind, depth)
        elif mode in ("v", "u", "f", "z"):
            value = self.variable(kind, writable=mode in "uz", full=mode in "fz")
        elif mode == "ret":
            value = self.result(1)
        elif mode == "s":
            value = self.literal(kind)
        else:
            value = self._small(mode)
        if label:
            labels[label] = (value, kind or "I")
        return value

    def _small(self, mode: str) -> str:
        rng = self.rng
        if mode == "k":
            return str(rng.randint(2, 9) if rng.random() < 0.3 else rng.randint(2, 5))
        if mode == "i":
            return str(rng.randint(0, 20) if rng.random() < 0.6 else rng.randint(1, 9))
        if mode == "h":
            return str(rng.randint(10, 99))
        if mode == "r":
            return str(rng.randint(0, 3) if rng.random() < 0.4 else rng.randint(1, 2))
        if mode == "o":
            return rng.choice("01")
        if mode == "y":
            return rng.choice(
                ("0.5", "1.5", "0.1", "2.5", "0.25", "1.1", "0.9", "10.0", "3.2", "0.05", "4.0")
            )
        if mode == "c":
            return repr(rng.choice("aeiorstnlbcd") if rng.random() < 0.85 else rng.choice("01 -,xA."))
        if mode == "w":
            return repr(self._familiar())
        if mode == "t":
            return repr(rng.choice((" ", " ", ",", ",", "-", "_", ";", "/", ", ", "a", "e", "=", ":")))
        if mode == "j":
            return repr(rng.choice(("", "", "", " ", ",", "-", ", ", "_", "|", "/", ":")))
        if mode == "q":
            return repr(
                rng.choice(("start", "out", "in", "open", "code", "text", "word", "idle", "up", "low"))
            )
        raise AssertionError(f"no hole is named '{mode}'")

    def _familiar(self) -> str:
        """Draw a word, often one of the call's arguments, so that look-ups find something."""
        return self.rng.choice(self.words) if self.words and self.rng.random() < 0.7 else self.word()

    words: tuple[str, ...] = ()
    """Words of the arguments."""

    # -------------------------------------------------------------- statements

    def block(self, count: int, depth: int) -> list[str]:
        """Write `count` statements, each after the assignments that it needs."""
        lines: list[str] = []
        for _ in range(count):
            outer = self.hoists
            self.hoists = True
            written = self.statement(depth)
            if not outer:
                lines += self.hoisted
                self.hoisted = []
            self.hoists = outer
            lines += written
        return lines or ["pass"]

    def called(self, kind: str, call: str) -> list[str]:
        """Write an assignment of the result of `call`, of this kind; no line if no variable fits the call."""
        before = dict(self.scope)
        self.hoists = True
        try:
            written = self.lines_of(f"$n{kind}.a = {call}", 1)
            return [*self.hoisted, *written]
        except Missing:
            self.scope = before
            return []
        finally:
            self.hoisted, self.hoists = [], False

    def statement(self, depth: int) -> list[str]:
        """Write one statement; it may be compound if `depth` allows.

        Of two or three candidates it is the one that reads the most variables, above all unread ones.
        """
        start = self._state()
        best: tuple[int, list[str], tuple[Any, ...]] | None = None
        n_written = 0
        for _ in range(40):
            compound = depth > 0 and self.rng.random() < (0.62 if not self.loops else 0.4)
            template = self.rng.choice(statements()["compound" if compound else "simple"])
            if self.loops and template.startswith(("def ", "return")):
                continue
            try:
                lines = self.lines_of(template, depth)
            except Missing:
                self._restore(start)
                continue
            new = set(self.reads[len(start[-1]) :])
            score = 2 * len(new & start[4]) + len(new) - 3 * (len(self.hoisted) - len(start[-2]))
            if best is None or score > best[0]:
                best = score, lines, self._state()
            n_written += 1
            if n_written >= (3 if self.loops == 0 else 2):
                break
            self._restore(start)
        if best is not None:
            self._restore(best[2])
            return best[1]
        return self.lines_of("$nI.a = $I", depth)

    def _state(self) -> tuple[Any, ...]:
        sets = (self.full, self.frozen, self.reserved, self.unread, self.empty)
        return (dict(self.scope), *map(set, sets), list(self.hoisted), list(self.reads))

    def _restore(self, state: tuple[Any, ...]) -> None:
        self.scope = dict(state[0])
        self.full, self.frozen, self.reserved, self.unread, self.empty = map(set, state[1:6])
        self.hoisted, self.reads = list(state[6]), list(state[7])

    def lines_of(
        self, template: str, depth: int, labels: dict[str, tuple[str, str]] | None = None
    ) -> list[str]:
        """Write out a template of statements; its new variables come into scope, those of its loops don't."""
        labels = {} if labels is None else labels
        text = self._with_choices(template)
        self._allocate(text, labels)
        kinds = {
            m[3]: (m[1], m[2]) for m in reversed(list(_HOLE.finditer(text))) if m[1] in ("n", "N", "l", "g")
        }
        lines: list[str] = []
        local: list[tuple[int, str]] = []
        later: list[tuple[str, str]] = []
        frozen = set(self.frozen)
        for line in text.split("\n"):
            bare = line.strip()
            if not bare:
                continue
            indent = len(line) - len(line.lstrip())
            for entry in [entry for entry in local if entry[0] >= indent and bare != "$block"]:
                self.scope.pop(entry[1], None)
                local.remove(entry)
            if bare == "$block":
                lines += [" " * indent + entry for entry in self._inner(depth)]
                continue
            filled = self._filled(line, 2, labels)
            lines.append(filled)
            self._note(filled)
            for label in sorted({m[3] for m in _HOLE.finditer(line)} & set(kinds)):
                mode, kind = kinds.pop(label)
                name = labels[label][0]
                if mode == "g" or kind == "X":
                    continue
                if mode == "l":
                    self.scope[name] = kind
                    local.append((indent, name))
                    if not bare.startswith("def "):
                        self.frozen.add(name)
                elif indent:
                    later.append((name, kind))
                else:
                    self._bind(name, kind)
        for _, name in local:
            self.scope.pop(name, None)
        for name, kind in later:
            self._bind(name, kind)
        self.frozen = frozen
        return lines

    def _bind(self, name: str, kind: str) -> None:
        self.scope.pop(name, None)
        self.scope[name] = kind
        self.unread.add(name)

    def _note(self, line: str) -> None:
        """Note which variables a line empties, which it may empty, and which a loop must not change."""
        bare = line.strip()
        words = {word for word in _WORD.findall(bare) if word in self.scope}
        if _SHRINKS.search(bare):
            self.full -= words
        if bare.startswith(("for ", "while ")):
            self.frozen |= words
        if (found := _NOTHING.match(bare)) is not None:
            self.empty.add(found[1])
        elif _GROWS.search(bare):
            self.empty -= words

    def _inner(self, depth: int) -> list[str]:
        outside, full = dict(self.scope), set(self.full)
        n_hoisted = len(self.hoisted)
        self.loops += 1
        lines = self.block(self.rng.choice((1, 1, 1, 2)), depth - 1)
        self.loops -= 1
        made = {one.split(" = ")[0] for one in self.hoisted[n_hoisted:]}
        self.full = (full & self.full) | (made & self.full)
        self.scope = outside | {name: kind for name, kind in self.scope.items() if name in made}
        return lines

    def result(self, depth: int) -> str:
        """Write the value that the function returns; often it is a variable that nothing has read yet."""
        names = [n for n, k in self.scope.items() if k == self.returns and n not in self.empty]
        fresh = [n for n in names if n in self.unread]
        luck = self.rng.random()
        if names and luck < (0.75 if fresh else 0.3):
            return self._read(fresh[-1] if fresh else self.rng.choice(names[-2:]))
        best, most = "", -1
        for _ in range(4):
            n_reads, unread = len(self.reads), set(self.unread)
            text = self.expression(self.returns, depth)
            new = set(self.reads[n_reads:])
            if (score := len(new) + 2 * len(new & unread)) > most:
                best, most = text, score
        return best


def _composite(text: str) -> bool:
    """Whether an expression has an operator outside of brackets."""
    bare = _STRINGS.sub("s", text)
    while (shorter := _BRACKETS.sub("", bare)) != bare:
        bare = shorter
    return " " in bare or bare[:1] == "-"
