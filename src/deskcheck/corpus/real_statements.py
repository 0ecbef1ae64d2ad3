"""Write the statements and blocks of the families `real-1` and `states-1`.

    body = Body(rng, family)
    body.block(1, 4, 3)
    body.lines -> ["    total = 0", "    for x in nums:", ..]

`real_expressions` writes the expressions in them, and `real_parts` explains the fields of templates.
"""

from __future__ import annotations

from deskcheck.corpus.real_expressions import Writer, parse_template, weights

# Kinds of statement. The method of Body named so (`_assign`, ..) returns False if nothing in scope fits.
KINDS = "assign augment call if for while try return raise assert delete break continue pass function".split()
_NESTING = {"if", "for", "while", "try", "function"}
# Types of the values in assignments, with weights.
_VALUES = (
    ("I", 9),
    ("S", 6),
    ("L", 5),
    ("W", 4),
    ("D", 3),
    ("B", 2),
    ("Z", 1),
    ("T", 1),
    ("R", 1),
    ("P", 1),
    ("N", 1),
)
# Exception, statement that may raise it, type of the variable `{v}` ("" = none).
_RISKY = [
    ("ValueError", "{v} = int({S})", "I"), ("KeyError", "{v} = {D}[{S}]", "I"), ("KeyError",
    "{v} = {D}[{k}]", "I"),
    ("IndexError", "{v} = {L}[{I}]", "I"), ("IndexError", "{v} = {W}[{n}]", "S"),
    ("ZeroDivisionError", "{v} = {I} // {I2}", "I"), ("TypeError", "{v} = {N} + {I}", "I"),
    ("AttributeError", "{v} = {N}.size", "I"), ("ValueError", "{v} = {L}.index({i})", "I"),
    ("StopIteration", "{v} = next(iter({L}))", "I"), ("ValueError", "{v} = {S}.index({c})", "I"),
    ("TypeError", "{v} = len({N})", "I"), ("ValueError", "{v} = max({L})", "I"), ("TypeError",
    "{v} = {S} + {I}", "S"),
    ("OverflowError", "{v} = chr({I})", "S"), ("ValueError", "{!L}.remove({i})", ""), ("KeyError",
    "{!Z}.remove({i})", ""),
    ("KeyError", "del {!D}[{S}]", ""), ("IndexError", "{!L}[{I}] = {n}", ""), ("KeyError",
    "{!D}[{S}] += {n}", ""),
    ("AttributeError", "{v} = {N}.lower()", "S"), ("IndexError", "{v} = {!L}.pop({n})", "I"),
]  # fmt: skip
# Exceptions of `raise`, with weights; the conditions under which they are raised; conditions of `assert`.
_RAISED = (("ValueError", 12), ("TypeError", 5), ("KeyError", 2), ("RuntimeError", 1), ("IndexError", 1))
_GUARDS = (
    "not {L}", "not {S}", "{I} < 0", "{I} > 500", "{S} is None", "len({L}) > 50", "not isinstance({I}, int)",
    "{N} is None", "{k} in {D}", "{c} not in {S}", "not {D}", "len({W}) < 2",
)  # fmt: skip
_ASSERTED = ("isinstance({L}, list)", "len({S}) >= 0", "{I} is not None", "{I} > -1000", "{D} is not None")
# Loops: iterated expression, types of the loop variables, weight.
_LOOPS = [
    ("{L}", "I", 8), ("{W}", "S", 8), ("{S}", "S", 5), ("{D}", "S", 2), ("{D}.items()", "SI", 7), ("{P}",
    "SI", 4),
    ("range({r})", "I", 4), ("range(len({L}))", "I", 2), ("enumerate({L})", "II", 2), ("enumerate({W})",
    "IS", 2),
    ("enumerate({S})", "IS", 1), ("zip({L}, {L2})", "II", 1), ("zip({W}, {L})", "SI", 1), ("{R}", "L", 3),
    ("sorted({L})", "I", 1), ("sorted({D})", "S", 1), ("sorted({Z})", "I", 2), ("reversed({L})", "I", 1),
    ("{S}.split()", "S", 2), ("{S}.split({p})", "S", 2), ("{L}[1:]", "I", 1), ("{D}.values()", "I", 2),
    ("list({L})", "I", 1),
    ("range({m}, {r})", "I", 1), ("range({r}, 0, -1)", "I", 1), ("{W}[::-1]", "S", 1), ("{D}.keys()", "S", 1),
    ("enumerate({R})", "IL", 1), ("zip({S}, {S2})", "SS", 1), ("sorted({D}.items())", "SI", 1),
    ("({I}, {I2})", "I", 1),
]  # fmt: skip


class Body(Writer):
    """Writer of blocks of statements."""

    def block(self, indent: int, count: int, depth: int, *, inner: bool = False) -> None:
        """Write up to `count` statements, with at most `depth` levels of blocks inside.

        The last statement of an `inner` block may be a return, break or continue, its first a `pass`, which
        ends the block.
        """
        before = len(self.lines)
        known = weights().statements
        for number in range(count):
            last = inner and number == count - 1
            kinds = [kind for kind in KINDS if self._may(kind, depth, last=last)]
            if number or not inner:
                kinds.remove("pass")
            kind = self.rng.choices(kinds, [known.get(kind, 1.0) for kind in kinds])[0]
            if not getattr(self, f"_{kind}")(indent, depth):
                self._assign(indent, depth)
            if kind in ("break", "continue", "return", "pass"):
                break
        if len(self.lines) == before:
            self._assign(indent, depth)

    def _may(self, kind: str, depth: int, *, last: bool) -> bool:
        if kind in _NESTING:
            return depth > 0 and (kind != "function" or not (self.loops or self.is_inner))
        if kind in ("break", "continue"):
            return last and self.loops > 0
        return kind != "return" or last

    def _inside(self, indent: int, depth: int, *, count: int = 0) -> None:
        """Write a nested block; names that only it binds are out of scope after it."""
        outside = dict(self.scope)
        self.block(indent + 1, count or self.rng.choice((1, 1, 2, 2, 3)), depth - 1, inner=True)
        self.scope = {name: kind for name, kind in outside.items() if self.scope.get(name) == kind}

    def _written(self, group: str, indent: int) -> bool:
        template = self.choose("", group)
        if template is not None:
            self.line(indent, self.fill(template, 2))
        return template is not None

    def _can(self, text: str) -> bool:
        """Whether the variables that a template needs are in scope."""
        return all(len(self.names(letter, writable=w)) >= n for letter, w, n in parse_template(text).needs)

    def _text(self, text: str) -> str | None:
        """Fill a template without a group; None if a variable is missing."""
        return self.fill(parse_template(text), 1) if self._can(text) else None

    # -------------------------------------------------------------- plain statements

    def _assign(self, indent: int, depth: int) -> bool:
        rng = self.rng
        choice = rng.random()
        if choice < 0.2 and self._written("ASSIGNS", indent):
            return True
        if choice < 0.27:
            return self._unpack(indent)
        if choice < 0.3 and (old := self.names("L") + self.names("D") + self.names("R")):
            other = rng.choice(old)
            kind = self.scope[other]
            name = self.bind(kind)
            self.line(indent, f"{name} = {other}")
            if other in self.frozen:
                self.frozen.add(name)
            return True
        if choice < 0.32:
            value = self.literal("I")
            self.line(indent, f"{self.bind('I')} = {self.bind('I')} = {value}")
            return True
        if choice < 0.42 and self.helpers and self._helped(indent):
            return True
        kinds, shares = zip(*_VALUES, strict=True)
        kind = rng.choices(kinds, shares)[0]
        value = self.value(kind, 2, plain=rng.random() < 0.25)
        known = self.names(kind, writable=True)
        name = rng.choice(known) if known and rng.random() < 0.35 else self.bind(kind)
        self.line(indent, f"{name} = {value}")
        return True

    def _unpack(self, indent: int) -> bool:
        rng = self.rng
        choice = rng.randrange(5)
        if choice == 0 and (pairs := self.names("T")):
            text = rng.choice(pairs)
        elif choice == 1 and (lists := self.names("L")):
            self.line(indent, f"{self.bind('I')}, *{self.bind('L')} = {rng.choice(lists)}")
            return True
        elif choice == 2 and (texts := self.names("S")):
            text = f"{rng.choice(texts)}.partition({self._part('p', 0, bare=True)})"
            self.line(indent, f"{self.bind('S')}, _, {self.bind('S')} = {text}")
            return True
        elif choice == 3:
            text = f"divmod({self.value('I', 1)}, {rng.randint(2, 9)})"
        else:
            text = f"{self.value('I', 1)}, {self.value('I', 1)}"
        self.line(indent, f"{self.bind('I')}, {self.bind('I')} = {text}")
        return True

    def _helped(self, indent: int) -> bool:
        text, kind = self.rng.choice(self.helpers)
        filled = self._text(text)
        if filled is None:
            return False
        name = self.fresh(kind)
        self.line(indent, f"{name} = {filled}")
        self.scope[name] = kind
        return True

    def _augment(self, indent: int, depth: int) -> bool:
        return self._written("AUGMENTS", indent)

    def _call(self, indent: int, depth: int) -> bool:
        return self._written("CALLS", indent)

    def _delete(self, indent: int, depth: int) -> bool:
        return self._written("DELETES", indent)

    def _pass(self, indent: int, depth: int) -> bool:
        self.line(indent, "pass")
        return True

    def _break(self, indent: int, depth: int) -> bool:
        self.line(indent, "break")
        return True

    def _continue(self, indent: int, depth: int) -> bool:
        self.line(indent, "continue")
        return True

    def _return(self, indent: int, depth: int) -> bool:
        kind = self.returns or self.rng.choice("IISLWBN")
        self.line(indent, f"return {self.value(kind, 1)}")
        return True

    def _raise(self, indent: int, depth: int) -> bool:
        rng = self.rng
        kind = rng.choices([name for name, _ in _RAISED], [share for _, share in _RAISED])[0]
        text = rng.choice(("empty", "bad value", "not found", "too large", "wrong type"))
        values = self.names("I") + self.names("S")
        message = repr(text)
        if values and rng.random() < 0.5:
            message = f"f'{text}: {{{rng.choice(values)}}}'"
        guard = self._text(rng.choice(_GUARDS))
        self.line(indent, f"if {guard or 'not ' + rng.choice(list(self.scope))}:")
        self.line(indent + 1, f"raise {kind}({message})")
        return True

    def _assert(self, indent: int, depth: int) -> bool:
        text = self._text(self.rng.choice(_ASSERTED))
        if text is not None:
            self.line(indent, f"assert {text}")
        return text is not None

    # -------------------------------------------------------------- blocks

    def _if(self, indent: int, depth: int) -> bool:
        rng = self.rng
        self.line(indent, f"if {self.condition()}:")
        self._inside(indent, depth)
        if rng.random() < 0.12:
            self.line(indent, f"elif {self.condition()}:")
            self._inside(indent, depth)
        if rng.random() < 0.28:
            self.line(indent, "else:")
            self._inside(indent, depth)
        return True

    def _for(self, indent: int, depth: int) -> bool:
        rng = self.rng
        outside, frozen = dict(self.scope), set(self.frozen)
        over = kinds = ""
        for _ in range(8):
            text, kinds, _ = rng.choices(_LOOPS, [share for _, _, share in _LOOPS])[0]
            iterable = self._text(text.replace("{r}", str(rng.randint(2, 7))))
            if iterable is not None:
                over = iterable
                break
        if not over:
            over, kinds = f"range({rng.randint(2, 6)})", "I"
        self.frozen |= {name for name in outside if name in over}
        names = [self.bind(kind) for kind in kinds]
        self.frozen |= set(names)
        self.line(indent, f"for {', '.join(names)} in {over}:")
        self._loop_body(indent, depth)
        self.scope, self.frozen = outside, frozen
        if rng.random() < 0.03:
            self.line(indent, "else:")
            self._inside(indent, depth)
        return True

    def _loop_body(self, indent: int, depth: int) -> None:
        self.loops += 1
        self.block(indent + 1, self.rng.choice((1, 2, 2, 3, 3)), depth - 1)
        self.loops -= 1

    def _while(self, indent: int, depth: int) -> bool:
        rng = self.rng
        outside, frozen = dict(self.scope), set(self.frozen)
        style = rng.randrange(6)
        numbers = self.names("I", writable=True)
        if not numbers:
            self.line(indent, f"{self.bind('I')} = {rng.randint(2, 12)}")
            numbers = self.names("I", writable=True)
        outside = dict(self.scope)
        name = rng.choice(numbers)
        lists, texts = self.names("L", writable=True), self.names("S", writable=True)
        self.frozen.add(name)
        if style == 0 and lists:
            held = rng.choice(lists)
            self.frozen.add(held)
            self.line(indent, f"while {held}:")
            self.line(indent + 1, f"{self.bind('I')} = {held}.pop({rng.choice(('', '', '0'))})")
        elif style == 1 and texts:
            held = rng.choice(texts)
            self.frozen.add(held)
            self.line(indent, f"while len({held}) > {rng.randint(0, 3)}:")
            self.line(indent + 1, f"{held} = {held}[{rng.choice(('1:', ':-1', '2:'))}]")
        elif style == 2:
            self.line(indent, f"while {name} > 0:")
            if rng.random() < 0.5:
                self.line(indent + 1, f"{name}, {self.bind('I')} = divmod({name}, {rng.choice((2, 3, 10))})")
            else:
                self.line(indent + 1, f"{name} -= {rng.randint(1, 4)}")
        elif style == 3:
            low = self.bind("I")
            self.line(indent, f"{low} = {rng.randint(0, 3)}")
            self.frozen.add(low)
            self.line(indent, f"while {low} < {name}:")
            self.line(indent + 1, f"{low} += {rng.randint(1, 3)}")
            if rng.random() < 0.4:
                self.line(indent + 1, f"{name} -= 1")
        elif style == 4:
            self.line(indent, "while True:")
            self.line(indent + 1, f"{name} -= {rng.randint(1, 5)}")
            self.line(indent + 1, f"if {name} <= {rng.randint(0, 3)}:")
            self.line(indent + 2, "break")
        else:
            self.line(indent, f"while {name} < {rng.randint(6, 40)}:")
            self.line(indent + 1, f"{name} = abs({name}) * 2 + {rng.randint(1, 4)}")
        self._loop_body(indent, depth)
        self.scope, self.frozen = outside, frozen
        if style != 4 and rng.random() < 0.06:
            self.line(indent, "else:")
            self._inside(indent, depth)
        return True

    def _try(self, indent: int, depth: int) -> bool:
        rng = self.rng
        risky = [row for row in _RISKY if self._can(row[1].removeprefix("{v} = "))]
        if not risky:
            return False
        error, text, kind = rng.choice(risky)
        outside = dict(self.scope)
        self.line(indent, "try:")
        was, self.raising = self.raising, True
        if rng.random() < 0.3:
            self.block(indent + 1, 1, 0)
        name = self.fresh(kind) if kind else ""
        filled = self.fill(parse_template(text.removeprefix("{v} = ")), 1)
        self.line(indent + 1, f"{name} = {filled}" if kind else filled)
        if kind:
            self.scope[name] = kind
        if rng.random() < 0.35:
            self.block(indent + 1, 1, depth - 1, inner=True)
        self.raising = was
        bound, self.scope = dict(self.scope), dict(outside)
        finally_ = rng.random() < 0.15
        if not finally_ or rng.random() < 0.6:
            self._handler(indent, depth, error, name, kind)
        if finally_:
            self.line(indent, "finally:")
            # No branch here, because Python versions differ in the line of the exception after one.
            if not getattr(self, rng.choice(("_augment", "_call", "_assign")))(indent + 1, 0):
                self._assign(indent + 1, 0)
        # Only a variable that the handler also sets is bound on every path.
        self.scope = {**outside, **({name: kind} if kind and name in self.scope and name in bound else {})}
        return True

    def _handler(self, indent: int, depth: int, error: str, name: str, kind: str) -> None:
        rng = self.rng
        caught = rng.choice((error, error, error, f"({error}, TypeError)", "Exception"))
        shown = rng.random() < 0.25
        self.line(indent, f"except {caught}{' as error' if shown else ''}:")
        if kind and rng.random() < 0.5:
            self.line(indent + 1, f"{name} = {self.leaf(kind)}")
            self.scope[name] = kind
        elif shown:
            self.line(indent + 1, f"{self.fresh('S')} = type(error).__name__")
        else:
            self.block(indent + 1, 1, 0, inner=True)
        if rng.random() < 0.13:
            self.line(indent, "else:")
            self._inside(indent, 0, count=1)

    def _function(self, indent: int, depth: int) -> bool:
        rng = self.rng
        name = self.fresh("F")
        numbers = self.names("I", writable=True)
        if numbers and rng.random() < 0.35:
            counter = rng.choice(numbers)
            self.line(indent, f"def {name}(x):")
            self.line(indent + 1, f"nonlocal {counter}")
            self.line(indent + 1, f"{counter} += {rng.choice(('1', 'x', '2'))}")
            self.line(indent + 1, f"return {rng.choice((counter, f'{counter} * x', f'x - {counter}'))}")
            self.frozen.add(counter)
        else:
            inner = Body(rng, self.family, self)
            inner.is_inner = True
            inner.scope = {n: k for n, k in self.scope.items() if k in "ISLDW"}
            inner.frozen = set(inner.scope)
            inner.scope["x"] = "I"
            inner.returns = "I"
            if rng.random() < 0.5:
                inner.block(indent + 1, rng.choice((1, 1, 2)), min(depth - 1, 1))
            self.line(indent, f"def {name}(x{rng.choice(('', '', ', y=2'))}):")
            self.lines += [line for line in inner.lines if line]
            self.line(indent + 1, f"return {inner.value('I', 2, plain=False)}")
        self.scope[name] = "F"
        self.frozen.add(name)
        return True
