"""Write whole programs of the families `real-1` and `states-1`.

    write_real(Random("real-1:1:52"), REAL["real-1"])
    -> Written("def solve(xs, title):\\n    ...", "solve", "[-1, 5], 'bar'", ("L", "S"))

A program has a main function, and perhaps a class, a generator, a recursive function or a helper. The letters
for types and the fields of templates are those of `real_parts`: "L" is a list of int, "I" an int.
"""

from __future__ import annotations

from random import Random

from deskcheck.corpus.expressions import Written
from deskcheck.corpus.real_expressions import RealFamily
from deskcheck.corpus.real_statements import Body

# Type of a parameter, and how often it is drawn among 38.
_PARAMETERS = (
    ("I", 7),
    ("S", 7),
    ("L", 8),
    ("W", 5),
    ("D", 4),
    ("R", 2),
    ("P", 2),
    ("N", 1),
    ("T", 1),
    ("Z", 1),
)
_ENTRIES = (
    "process solve collect scan merge build check run compute update convert group select pack walk".split()
)
_HELPERS = "helper step clean weight change part rate measure shift pick".split()
_CLASSES = "Account Counter Node Box Shape Item Stack Meter".split()
# Recursive functions: name, parameters, lines, call, type of the result. `{m}` is a small number.
_RECURSIVE = [
    ("fact", "n", ["if n <= 1:", "    return 1", "return n * fact(n - 1)"], "fact({m})", "I"),
    ("gcd", "a, b", ["if b == 0:", "    return a", "return gcd(b, a % b)"], "gcd({I}, {m})", "I"),
    ("power", "base, n", ["if n == 0:", "    return 1", "half = power(base, n // 2)",
                          "if n % 2:", "    return half * half * base", "return half * half"],
                          "power({m}, {m})", "I"),
    ("digits", "n", ["n = abs(n)", "if n < 10:", "    return n", "return n % 10 + digits(n // 10)"],
    "digits({i})", "I"),
    ("total", "xs", ["if not xs:", "    return 0", "return xs[0] + total(xs[1:])"], "total({L})", "I"),
    ("turn", "s", ["if len(s) < 2:", "    return s", "return turn(s[1:]) + s[0]"], "turn({S}[:6])", "S"),
    ("flat", "xs", ["out = []", "for x in xs:", "    if isinstance(x, list):", "        out.extend(flat(x))",
                    "    else:", "        out.append(x)", "return out"], "flat({R})", "L"),
    ("fib", "n, memo", ["if n in memo:", "    return memo[n]", "if n < 2:", "    return n",
                        "memo[n] = fib(n - 1, memo) + fib(n - 2, memo)", "return memo[n]"], "fib({m}, {})",
                        "I"),
    ("find", "xs, x, low, high", ["if low >= high:", "    return -1", "middle = (low + high) // 2",
                                  "if xs[middle] == x:", "    return middle", "if xs[middle] < x:",
                                  "    return find(xs, x, middle + 1, high)",
                                  "return find(xs, x, low, middle)"],
     "find({L}, {i}, 0, len({L}))", "I"),
    ("depth", "x", ["if not isinstance(x, list) or not x:", "    return 0",
                    "return 1 + max(depth(y) for y in x)"], "depth({R})", "I"),
    ("choose", "xs, n", ["if n == 0:", "    return [[]]", "if not xs:", "    return []", "head, *tail = xs",
                         "with_head = [[head] + rest for rest in choose(tail, n - 1)]",
                         "return with_head + choose(tail, n)"], "choose({L}[:3], 2)", "R"),
    ("even", "n", ["n = abs(n)", "return n == 0 or not even(n - 1)"], "even({m})", "B"),
]  # fmt: skip
_GENERATORS = [
    ("xs", ["for x in xs:", "    if {test}:", "        continue", "    yield {item}"], "({L})"),
    ("xs", ["last = 0", "for x in xs:", "    yield x - last", "    last = x"], "({L})"),
    ("xs", ["yield from xs", "yield len(xs)"], "({L})"),
    ("xs", ["for i, x in enumerate(xs):", "    if {test}:", "        yield i", "    else:",
    "        yield {item}"], "({L})"),
    ("xs", ["try:", "    for x in xs:", "        yield {item}", "finally:", "    xs.append(0)"], "({!L}[:])"),
    ("n", ["while n > 0:", "    yield n", "    n //= 2"], "({I})"),
    ("n", ["a, b = 0, 1", "while a < n:", "    yield a", "    a, b = b, a + b"], "({I} % 50)"),
    ("n", ["total = 0", "for x in range(n):", "    total += x", "    if {test}:", "        return",
    "    yield total"], "({m})"),
]  # fmt: skip
_TESTS = ("x < 0", "x % 2", "x > 10", "not x", "x == 3", "x % 3 == 0")
_ITEMS = ("x", "x * 2", "x + 1", "x * x % 7", "-x", "x // 2")
# Uses of a generator, with the type of the result; "" = a type that no template asks for, so it stays unused.
_USES = [
    ("list({g})", "L"), ("sum({g})", "I"), ("next({g}, None)", "N"), ("sorted({g})", "L"),
    ("max({g}, default=0)", "I"),
    ("[x * 2 for x in {g}]", "L"), ("tuple({g})[:2]", ""), ("any(x > 3 for x in {g})", "B"), ("set({g})",
    "Z"),
]  # fmt: skip


def write_real(rng: Random, family: RealFamily) -> Written:
    """Write one random program and the arguments of one call."""
    body = Body(rng, family)
    body.raising = rng.random() < 0.1
    header: list[str] = []
    made = ""
    if rng.random() < 0.14:
        header += _class(rng, body)
        made = f"{header[0].removeprefix('class ').removesuffix(':')}"
    if rng.random() < 0.1:
        header += _generator(rng, body)
    if rng.random() < 0.06:
        header += _recursive(rng, body)
    if rng.random() < 0.2:
        header += _helper(rng, body)
    entry = next(name for name in rng.sample(_ENTRIES, 4) if name not in body.taken)
    body.taken.add(entry)
    parameters = _parameters(rng, body)
    arguments = [body.literal(kind) for _, kind in parameters]
    names = [name for name, _ in parameters]
    if parameters[-1][1] == "I" and rng.random() < 0.15:
        names[-1] += f"={arguments[-1]}"
        if rng.random() < 0.5:
            arguments.pop()
    if made:
        name = body.fresh("O")
        body.line(1, f"{name} = {made}({body.value('S', 1)}{rng.choice(('', ', 2', ', size=3'))})")
        body.scope[name] = "O"
        body.frozen.add(name)
    body.block(1, rng.randint(*family.statements), family.depth)
    body.line(1, f"return {_returned(rng, body)}")
    source = "\n".join([*header, f"def {entry}({', '.join(names)}):", *body.lines]) + "\n"
    kinds = tuple(kind for _, kind in parameters[: len(arguments)])
    return Written(source, entry, ", ".join(arguments), kinds)


def _parameters(rng: Random, body: Body) -> list[tuple[str, str]]:
    kinds, shares = zip(*_PARAMETERS, strict=True)
    found = []
    for _ in range(rng.choice((1, 2, 2, 2, 3, 3, 4))):
        kind = rng.choices(kinds, shares)[0]
        found.append((body.bind(kind), kind))
    return found


def _returned(rng: Random, body: Body) -> str:
    names = [name for name, kind in body.scope.items() if kind not in "FO"]
    choice = rng.random()
    if choice < 0.5 or len(names) < 2:
        return rng.choice(names[-5:])
    if choice < 0.75:
        return ", ".join(rng.sample(names, 2))
    return body.value(rng.choice("ISLWDB"), 2, plain=False)


def _helper(rng: Random, body: Body) -> list[str]:
    name = rng.choice(_HELPERS)
    inner = Body(rng, body.family, body)
    parameters = _parameters(rng, inner)[:3]
    inner.scope = dict(parameters)
    kind = rng.choice("IISLB")
    inner.returns = kind
    inner.block(1, rng.choice((1, 1, 2, 3)), 1)
    lines = [f"def {name}({', '.join(n for n, _ in parameters)}):", *inner.lines]
    lines += [f"    return {inner.value(kind, 2, plain=False)}", "", ""]
    fields = ", ".join("{" + (k.lower() if k in "ISLB" else k) + "}" for _, k in parameters)
    body.helpers.append((f"{name}({fields})", kind))
    body.taken.add(name)
    return lines


def _recursive(rng: Random, body: Body) -> list[str]:
    name, parameters, lines, call, kind = rng.choice(_RECURSIVE)
    body.helpers.append((call, kind))
    body.taken.add(name)
    return [f"def {name}({parameters}):", *(f"    {line}" for line in lines), "", ""]


def _generator(rng: Random, body: Body) -> list[str]:
    name = rng.choice(("walk_all", "steps", "produce", "each", "stream"))
    parameter, lines, call = rng.choice(_GENERATORS)
    test, item = rng.choice(_TESTS), rng.choice(_ITEMS)
    for use, kind in rng.sample(_USES, 3):
        if kind:
            body.helpers.append((use.replace("{g}", f"{name}{call}"), kind))
    body.taken.add(name)
    filled = [line.replace("{test}", test).replace("{item}", item) for line in lines]
    return [f"def {name}({parameter}):", *(f"    {line}" for line in filled), "", ""]


def _class(rng: Random, body: Body) -> list[str]:
    """Write a class with the attributes and methods that the templates with `{O}` use."""
    name = rng.choice(_CLASSES)
    inner = Body(rng, body.family)
    inner.scope = {"self.size": "I", "self.step": "I", "x": "I"}
    inner.frozen = set(inner.scope)
    test = inner.value("B", 1, plain=False)
    add = rng.choice(
        (
            ["self.size += x"],
            ["self.size += x * self.step"],
            [f"if {test}:", "    self.size += self.step", "else:", "    self.size -= x"],
            ["self.log.append(x)", "self.size = len(self.log)"],
            ["if x < 0:", "    raise ValueError('negative')", "self.size += x"],
        )
    )
    shown = rng.choice(("f'{self.name}:{self.size}'", "self.name.upper()", "self.name + str(self.size)"))
    total = rng.choice(
        ("sum(self.log) + self.size", "self.size * self.step", "len(self.log)", "max([self.size, *self.log])")
    )
    lines = [
        f"class {name}:",
        *([f"    made = {rng.randint(0, 3)}", ""] if rng.random() < 0.2 else []),
        "    def __init__(self, name, size=0):",
        "        self.name = name",
        "        self.size = size",
        f"        self.step = {rng.randint(1, 5)}",
        "        self.log = []",
        "",
        "    def add(self, x):",
        *(f"        {line}" for line in add),
        "        return self.size",
        "",
        "    def push(self, x):",
        rng.choice(("        self.log.append(x)", "        self.log.insert(0, x + self.step)",
            "        self.log = self.log + [x]")),
        "",
        "    def total(self):",
        f"        return {total}",
        "",
        "    def show(self):",
        f"        return {shown}",
        "",
        "    def rename(self, name):",
        "        self.name = name",
        "",
        "",
    ]  # fmt: skip
    body.taken.add(name)
    return lines
