"""Names, words and templates of expressions and statements, for the families `real-1` and `states-1`.

A template is text with fields:

    {L}    a variable of type L in scope; {!L} one that may be changed; {L2} another one
    {i}    an expression of type I; likewise {s}, {b} and {l} for the types S, B and L
    {n}    a small number; {m} a number from 2 to 5; {w} a number from 4 to 9; {j} an index
    {c}    a letter; {k} a key; {p} a separator
    {x}    an unused name; {y} another one

A field with a capital letter, or an unused name, has the same value everywhere in one template. Doubled
braces stand for a brace of the program. A template that begins with `?` is likely to raise an exception.

The types are I int, S str, B bool, L list of int, W list of str, D dict of str to int, Z set of int, T pair
of int, R list of lists of int, P list of (str, int), F function of int, O object of the program's class, and
N int or None.
"""

from __future__ import annotations

# Type -> names of its variables.
NAMES = {
    "I": "n total count size index i j k limit score step width offset start end level best rest".split(),
    "S": "text word name line key prefix label part head tail token title out s".split(),
    "B": "found ok done seen valid flag empty changed".split(),
    "L": "nums values items scores xs data result stack queue sizes out ys".split(),
    "W": "words names parts lines tokens keys labels fields tags rows".split(),
    "D": "counts table scores seen index cache ages prices sizes by_name".split(),
    "Z": "seen unique known left right common numbers".split(),
    "T": "pair point bounds span cell".split(),
    "R": "grid rows matrix groups chunks levels".split(),
    "P": "pairs entries records ranking items".split(),
    "F": "fn change scale func apply".split(),
    "O": "box account node counter item shape".split(),
    "N": "last best found match first hit".split(),
}
WORDS = (
    "apple river stone cloud green table light music paper house dream ocean north quick brown fox lazy dog "
    "alpha beta gamma delta error value index empty first last left right start stop open close read write "
    "red blue city tree bird fish moon star king note data file line word name list tuple spam eggs ham foo "
    "bar baz hello world python code test Item Total Name ID xml http user admin root home temp cache queue"
).split()
SEPARATORS = (" ", " ", "-", "_", ",", ", ", ":", "/", ".")
LETTERS = "aeiourstnlbcdm"

OPERATORS = frozenset({"arithmetic", "conditional", "comparison", "and, or", "not"})
"""Groups of expressions that need brackets inside another expression."""

# Type -> group -> templates. Methods and built-ins are drawn by the weights of their names.
EXPRESSIONS: dict[str, dict[str, list[str]]] = {
    "I": {
        "arithmetic": [
            "{i} + {i}", "{i} + {n}", "{i} - {i}", "{i} - {n}", "{i} * {n}", "{i} // {m}", "{i} % {m}",
            "{I} * {I}",
            "-{I}", "{I} ** 2", "{I} & {n}", "{I} | {n}", "{I} ^ {n}", "{I} << 1", "{I} >> 1", "~{I}",
        ],
        "index": ["?{L}[{j}]", "{T}[0]", "{T}[1]", "?{R}[{j}][0]", "?{P}[{j}][1]", "?{L}[{I} % len({L})]",
        "?{D}[{k}]"],
        "attribute": ["{O}.size", "{O}.step"],
        "call": ["{F}({i})", "{O}.total()", "{O}.add({i})"],
        "method": [
            "{S}.count({c})", "{S}.find({c})", "{S}.rfind({c})", "{D}.get({k}, {n})", "{D}.get({S}, 0)",
            "{L}.count({i})", "?{L}.index({L}[0])", "?{W}.index({W}[-1])", "?{!L}.pop()", "?{!L}.pop(0)",
            "{!D}.pop({k}, 0)", "{!D}.setdefault({k}, {n})", "{W}.count({s})", "?{S}.index({S}[0])",
        ],
        "builtin": [
            "len({S})", "len({L})", "len({W})", "len({D})", "len({Z})", "len({R})", "len({P})", "len({s})",
            "sum({L})",
            "sum({Z})", "sum({D}.values())", "?max({L})", "max({i}, {i})", "?min({L})", "min({i}, {n})",
            "abs({i})",
            "int({B})", "int(str({I})[0:1] or 0)", "?ord({S}[0])", "?next(iter({L}))", "max({Z}, default=0)",
            "round({I} / {m})", "next(({x} for {x} in {L} if {x} > {n}), -1)", "pow({I}, 2, {m})",
            "?int({S})",
            "min({D}.values(), default=0)", "sum(map(len, {W}))",
        ],
        "generator expression": [
            "sum({x} * {n} for {x} in {L})", "sum(1 for {x} in {S} if {x} == {c})",
            "sum(len({x}) for {x} in {W})",
            "sum({x} for {x} in {L} if {x} % {m} == 0)", "max((len({x}) for {x} in {W}), default=0)",
            "sum({x} * {y} for {x}, {y} in zip({L}, {L2}))", "sum(sum({x}) for {x} in {R})",
        ],
        "conditional": ["{i} if {b} else {i}", "{L}[0] if {L} else {n}", "{I} if {I} > {n} else -{I}"],
    },
    "S": {
        "index": ["?{W}[{j}]", "?{S}[{j}]", "?{P}[{j}][0]"],
        "slice": [
            "{S}[{n}:]", "{S}[:{n}]", "{S}[::-1]", "{S}[1:-1]", "{S}[::2]", "{S}[-{m}:]", "{S}[{I}:]",
            "{S}[:{I}]",
            "{S}[{n}:{m2}]",
        ],
        "attribute": ["{O}.name"],
        "call": ["{O}.show()"],
        "arithmetic": ["{S} + {s}", "{s} + {c}", "{S} * {m}", "{c} * {n}", "'%s=%d' % ({S}, {I})",
        "'<%s>' % {S}"],
        "f-string": [
            "f'{{{S}}}'", "f'{{{S}}}-{{{I}}}'", "f'{{{I}}}'", "f'{{{S}!r}}'", "f'{{{I}:03d}}'",
            "f'{{{S}:>8}}'",
            "f'{{{S}}}: {{{I}}}'", "f'{{len({S})}} {{{S}}}'", "f'{{{I} + {n}}}/{{{I}}}'",
            "f'[{{{S}:<6}}]'", "f'{{{I}:x}}'",
        ],
        "method": [
            "{S}.upper()", "{S}.lower()", "{S}.strip()", "{S}.lstrip({c})", "{S}.rstrip({c})", "{S}.title()",
            "{S}.capitalize()", "{S}.swapcase()", "{S}.replace({c}, {c})", "{S}.replace({c}, '')",
            "{p}.join({W})",
            "{p}.join({S})", "{S}.zfill({w})", "{S}.ljust({w}, '.')", "{S}.rjust({w})",
            "{S}.center({w}, '*')",
            "{S}.removeprefix({S}[:1])", "{S}.removesuffix({c})", "{S}.partition({p})[0]",
            "{S}.rpartition({p})[2]",
            "'{{}}:{{}}'.format({S}, {I})", "{S}.expandtabs({n})", "{S}.translate(str.maketrans({c}, {c}))",
            "{S}.casefold()", "?{!W}.pop()", "'|'.join(str({x}) for {x} in {L})", "','.join(sorted({W}))",
            "' '.join({x}.title() for {x} in {W})", "''.join(reversed({S}))", "{S}.split({p})[0]",
        ],
        "builtin": [
            "str({i})", "repr({S})", "str({L})", "?max({W}, key=len)", "?min({W})", "chr(97 + {I} % 26)",
            "bin({I})",
            "hex({I})", "format({I}, '04d')", "repr({T})", "type({S}).__name__", "next(iter({W}), '')",
            "str({b})",
        ],
        "conditional": ["{s} if {b} else {s}", "{S} or {c}"],
    },
    "B": {
        "comparison": [
            "{i} == {i}", "{i} == {n}", "{i} != {n}", "{i} < {i}", "{I} < {n}", "{i} > {n}", "{i} >= {i}",
            "{i} <= {n}",
            "{i} % {m} == 0", "{s} == {s}", "{S} != {c}", "{c} in {S}", "{I} in {L}", "{I} not in {L}",
            "{k} in {D}",
            "{S} in {D}", "{S} not in {W}", "{S} in {W}", "{I} in {Z}", "{I} not in {Z}", "{k} not in {D}",
            "{n} < {I} <= {I2}", "{L} == {L2}", "?{L}[0] == {L}[-1]", "len({S}) > {n}", "{N} is None",
            "{N} is not None",
            "{N} is not None", "{N} is None", "{O} is None", "{N} == {I}", "{L} is {L2}", "?{S}[0] == {c}",
            "{D}.get({k}) is None", "{D}.get({S}) is not None", "{S} is not None", "{W} is not None",
            "{L} is None",
        ],
        "and, or": ["{b} and {b}", "{b} or {b}", "{S} and {b}", "{L} and {L}[0] > {n}", "{L} or {b}",
        "{b} and {B}"],
        "not": ["not {S}", "not {L}", "not {B}", "not {W}", "not {D}", "not {Z}"],
        "method": [
            "{S}.startswith({c})", "{S}.startswith({S}[:{n}])", "{S}.endswith({c})", "{S}.isdigit()",
            "{S}.isalpha()",
            "{S}.isupper()", "{S}.islower()", "{S}.isalnum()", "{S}.isspace()", "{S}.istitle()",
            "{S}.isidentifier()",
            "{Z}.issubset({Z2})", "{Z}.isdisjoint({L})", "{Z}.issuperset({L})", "{S}.isnumeric()",
        ],
        "builtin": [
            "isinstance({N}, int)", "isinstance({I}, int)", "isinstance({S}, str)",
            "isinstance({S}, (list, tuple))",
            "isinstance({L}, list)", "isinstance({I}, str)", "any({L})", "all({L})", "bool({S})", "bool({D})",
            "hasattr({O}, 'name')", "hasattr({S}, 'items')", "callable({F})", "getattr({O}, 'size', 0) > {n}",
            "any({x} > {n} for {x} in {L})", "all({x} for {x} in {W})", "any({x} in {S} for {x} in {W})",
            "type({N}) is int", "isinstance({D}, dict)", "all({x}.islower() for {x} in {S})",
        ],
    },
    "L": {
        "list": ["[]", "[]", "[{i}]", "[{i}, {i}]", "[{i}, {n}, {n}]", "[*{L}, {i}]", "[{n}] * {m}"],
        "slice": ["{L}[1:]", "{L}[:-1]", "{L}[::-1]", "{L}[:]", "{L}[:{n}]", "{L}[-{m}:]", "{L}[::2]",
        "{L}[{n}:{m2}]"],
        "arithmetic": ["{L} + {l}", "{L} + [{i}]"],
        "method": ["{L}.copy()", "{O}.log.copy()", "?{!R}.pop()"],
        "builtin": [
            "sorted({L})", "list({L})", "list({Z})[:0]", "sorted({Z})", "list(range({m}))",
            "list(range({n}, {m2}))",
            "list(reversed({L}))", "list({D}.values())", "list(map(abs, {L}))", "sorted({L}, reverse=True)",
            "sorted({D}.values())", "sorted(set({L}))", "list({T})", "list(filter(None, {L}))",
            "[max({x}) for {x} in {R} if {x}]", "list(map(len, {W}))", "sorted({L}, key=lambda {x}: -{x})",
        ],
        "list comprehension": [
            "[{x} * {n} for {x} in {L}]", "[{x} + {I} for {x} in {L}]", "[{x} for {x} in {L} if {x} > {n}]",
            "[len({x}) for {x} in {W}]", "[{x} for {x} in {L} if {x} % {m}]",
            "[{x} * {x} for {x} in range({m})]",
            "[{x} - {y} for {x}, {y} in zip({L}, {L2})]", "[ord({x}) for {x} in {S}]",
            "[{y} for {x} in {R} for {y} in {x}]",
            "[{x} for {x}, {y} in enumerate({S}) if {y} == {c}]", "[{y} for {x}, {y} in {P}]",
            "[{x} if {x} > {n} else 0 for {x} in {L}]",
        ],
        "index": ["?{R}[{j}]"],
        "attribute": ["{O}.log"],
    },
    "W": {
        "list": ["[]", "[{s}]", "[{s}, {s}]", "[{S}, {c}]", "[*{W}, {S}]", "[{c}] * {m}"],
        "slice": ["{W}[1:]", "{W}[:-1]", "{W}[::-1]", "{W}[:{n}]", "{W}[:]"],
        "arithmetic": ["{W} + [{s}]"],
        "method": [
            "{S}.split()", "{S}.split()", "{S}.split({p})", "{S}.split({p}, 1)", "{S}.rsplit({p}, 1)",
            "{S}.splitlines()",
            "{W}.copy()", "list({D}.keys())", "list({S}.partition({p}))",
        ],
        "builtin": [
            "list({S})", "sorted({W})", "sorted({D})", "list({D})", "sorted({W}, key=len)",
            "list(reversed({W}))",
            "sorted(set({S}))", "list(map(str, {L}))", "sorted({S})",
            "sorted({W}, key=lambda {x}: ({x}[-1:], {x}))",
            "list(map(str.upper, {W}))", "list(dict.fromkeys({W}))", "list(filter(None, {W}))",
        ],
        "list comprehension": [
            "[{x}.upper() for {x} in {W}]", "[{x} for {x} in {W} if len({x}) > {n}]",
            "[{x} + {c} for {x} in {W}]",
            "[{x} for {x} in {S} if {x} != {c}]", "[f'{{{x}}}{n}' for {x} in {W}]",
            "[{x}[::-1] for {x} in {W}]",
            "[{x} for {x}, {y} in {P} if {y} > {n}]", "[{x}.strip() for {x} in {S}.split({p})]",
            "[{x} for {x} in {D} if {x} in {S}]",
        ],
    },
    "D": {
        "dict": ["{}", "{}", "{{{k}: {i}}}", "{{{k}: {i}, {k}: {n}}}", "{{**{D}, {k}: {i}}}"],
        "method": ["{D}.copy()", "dict.fromkeys({W}, {n})", "dict.fromkeys({S}, 0)"],
        "builtin": ["dict({D})", "dict({P})", "dict(zip({W}, {L}))", "dict(sorted({D}.items()))"],
        "dict comprehension": [
            "{{{x}: len({x}) for {x} in {W}}}", "{{{x}: {S}.count({x}) for {x} in {S}}}",
            "{{{x}: {y} + {n} for {x}, {y} in {D}.items()}}",
            "{{{x}: {y} for {x}, {y} in {D}.items() if {y} > {n}}}",
            "{{{y}: {x} for {x}, {y} in enumerate({W})}}",
        ],
        "arithmetic": ["{D} | {{{k}: {i}}}"],
    },
    "Z": {
        "set": ["set()", "{{{n}, {i}}}", "{{{i}}}"],
        "method": ["{Z}.union({L})", "{Z}.copy()", "{Z}.difference({L})", "{Z}.intersection({L})",
        "{Z}.symmetric_difference({Z2})"],
        "builtin": ["set({L})", "set({L})", "set({D}.values())", "set(range({m}))", "set(map(len, {W}))"],
        "arithmetic": ["{Z} | {Z2}", "{Z} & {Z2}", "{Z} - {{{n}}}", "{Z} ^ {Z2}"],
        "set comprehension": ["{{{x} % {m} for {x} in {L}}}", "{{len({x}) for {x} in {W}}}"],
    },
    "T": {
        "tuple": ["({i}, {i})", "({I}, {n})", "(len({S}), {I})"],
        "builtin": ["divmod({i}, {m})", "?(min({L}), max({L}))", "tuple(sorted(({I}, {n})))"],
    },
    "R": {
        "list": ["[{l}, {l}]", "[[{n}, {n}], [{i}]]", "[{L}, {L}]", "[[0] * {m} for _ in range({m2})]",
        "[{L}, [{n}]]"],
        "list comprehension": [
            "[[{x}, {x} * {n}] for {x} in {L}]", "[{x}[::-1] for {x} in {R}]",
            "[{L}[{x}:{x} + 2] for {x} in range(0, len({L}), 2)]",
            "[[{x} * {y} for {x} in range({m})] for {y} in range({m2})]",
        ],
        "builtin": ["sorted({R})", "list(map(list, zip({L}, {L2})))", "[list({x}) for {x} in zip(*{R})]"],
        "method": ["{R}.copy()"],
    },
    "P": {
        "list": ["[({k}, {i})]", "[({k}, {i}), ({k}, {n})]", "[]"],
        "method": ["list({D}.items())", "list({D}.items())"],
        "builtin": [
            "sorted({D}.items())", "list(zip({W}, {L}))", "sorted({D}.items(), key=lambda {x}: {x}[1])",
            "sorted({P})",
            "[({y}, {x}) for {x}, {y} in enumerate({W})]",
        ],
        "list comprehension": ["[({x}, len({x})) for {x} in {W}]"],
        "slice": ["{P}[:{n}]"],
    },
    "N": {
        "conditional": ["{i} if {b} else None"],
        "method": ["{D}.get({k})", "{D}.get({S})"],
        "builtin": ["next(({x} for {x} in {L} if {x} > {n}), None)", "getattr({O}, 'size', None)"],
        "literal": ["None", "None"],
    },
    "F": {"lambda": ["lambda {x}: {x} + {n}", "lambda {x}: {x} * {n}", "lambda {x}, {y}={n}: {x} - {y}",
    "lambda {x}: {x} % {m}"]},
}  # fmt: skip

# Statements of one line that call a method for its effect.
CALLS = [
    "{!L}.append({i})", "{!W}.append({s})", "{!R}.append({l})", "{!R}.append({L})", "{!P}.append(({S}, {I}))",
    "{!L}.append({i})", "{!W}.append({S})", "{!L}.extend({L2})", "{!L}.extend([{i}, {n}])",
    "{!W}.extend({W2})",
    "{!L}.insert(0, {i})", "{!W}.insert({n}, {s})", "?{!L}.pop()", "?{!L}.pop(0)", "?{!L}.pop(-1)",
    "?{!W}.pop()",
    "{!D}.pop({k}, None)", "?{!L}.remove({L}[0])", "{!L}.clear()", "{!D}.clear()", "{!L}.sort()",
    "{!L}.sort(reverse=True)",
    "{!W}.sort(key=len)", "{!W}.sort()", "{!L}.reverse()", "{!W}.reverse()", "{!D}.update({{{k}: {i}}})",
    "{!D}.update(size={i})", "{!D}.update({D2})", "{!D}.setdefault({k}, {n})", "{!Z}.add({i})",
    "{!Z}.add({i})",
    "{!Z}.discard({i})", "{!Z}.update({L})", "?{!D}.popitem()", "?{!R}[0].append({i})",
    "?{!R}[{j}].extend({L})",
    "{!Z}.clear()", "{!P}.sort()", "{!P}.sort(key=lambda {x}: {x}[1])", "?{!Z}.remove({n})",
    "?{!L}.remove({n})",
    "{!P}.append(({k}, {i}))", "{O}.push({i})", "{O}.add({i})", "setattr({O}, 'size', {i})",
    "{O}.rename({s})",
    "{O}.log.append({i})", "{!Z}.difference_update({L})", "{!Z}.intersection_update({L})",
]  # fmt: skip
# Augmented assignments; assignments to parts of a value or to several names; `del` statements.
AUGMENTS = [
    "{!I} += {i}", "{!I} += 1", "{!I} += {n}", "{!I} -= {i}", "{!I} -= 1", "{!I} *= {n}", "{!I} //= {m}",
    "{!I} %= {m}",
    "{!S} += {s}", "{!S} += {c}", "{!S} = {c} + {S}", "{!L} += [{i}]", "{!L} += {L2}", "{!W} += [{s}]",
    "{!I} |= {n}",
    "{!I} ^= {n}", "{!I} <<= 1", "{!Z} |= {{{n}}}", "{O}.size += {i}", "?{!D}[{k}] += {n}", "?{!L}[0] += {n}",
    "?{!R}[0][0] -= {n}", "?{!L}[-1] *= {n}",
]  # fmt: skip
ASSIGNS = [
    "{!D}[{k}] = {i}", "{!D}[{S}] = {i}", "{!D}[{S}] = {D}.get({S}, 0) + {n}", "?{!L}[{j}] = {i}",
    "?{!W}[{j}] = {s}",
    "{!L}[:1] = [{i}, {n}]", "{!L}[{n}:] = []", "?{!L}[0], {!L}[-1] = {L}[-1], {L}[0]", "{O}.size = {i}",
    "{O}.name = {s}",
    "?{!R}[{j}][0] = {i}", "{!I}, {!I2} = {I2}, {I}", "{!I}, {!I2} = {I2}, {I} + {I2}",
    "{!L}[::2] = [{n}] * len({L}[::2])",
    "{!D}[str({I})] = {i}",
]  # fmt: skip
DELETES = [
    "?del {!D}[{k}]",
    "?del {!L}[0]",
    "?del {!L}[-1]",
    "del {!L}[:{n}]",
    "?del {!W}[0]",
    "del {!L}[::2]",
]
