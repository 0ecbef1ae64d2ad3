"""Programs in which a protocol of names, or a library, calls code in C that the program chose.

    sibling_program(seed) -> HiddenProgram      f(xs, d, s, q, res), as in hidden_programs.py

Each entry of MADE has statements that make `o`, with a place for a callable in C that takes {one} argument,
{none} or {any}, and statements that lead the interpreter or a library to it. `{o}` is the object, up to three
containers deep.
"""

from __future__ import annotations

from random import Random

from tests.tracing.hidden_programs import ANY, IMPORTS, NONE, ONE, HiddenProgram, c_callable, nested, tried

MORE = """\
import asyncio, bisect, contextlib, contextvars, copy, csv, dataclasses, enum, gc, heapq, json, re
import signal, statistics
"""
# What makes `o`, and what uses it; " / " is a new line.
MADE = (
    # Methods that the interpreter calls by name, although their names are not special.
    (
        "class C: keys = staticmethod({none}) / o = C()",
        ("{{**{o}}}", "dict({o})", "d.update({o})", "dict(**{o})"),
    ),
    ("class C(dict): get = {any} / o = C(a=1)", ("match {o}: /     case {{'a': y}}: res.append(3)",)),
    (
        "class C(ExceptionGroup): derive = {any} / o = C('g', [ValueError(1), KeyError(2)])",
        ("{o}.split(ValueError)", "try: raise {o} / except* ValueError: pass"),
    ),
    (
        "class C: close = staticmethod({none}) / o = C()",
        ("contextlib.closing({o}).__exit__(None, None, None)",),
    ),
    (
        "class C: /     def __iter__(self): return iter([]) / C.throw = C.close = {any} / o = C()",
        ("res.append(len(list({o})))",),
    ),
    # Special names outside types, and those of class statements.
    (
        "o = types.ModuleType('box') / o.__getattr__ = {one}",
        ("{o}.size", "hasattr({o}, 'size')", "getattr({o}, 'size', 1)"),
    ),
    ("o = types.ModuleType('box') / vars(o)['__getattr__'] = {one}", ("{o}.size", "hasattr({o}, 'size')")),
    (
        "o = types.ModuleType('box') / o.__dict__.update(__getattr__={one})",
        ("{o}.size", "getattr({o}, 'a', 1)"),
    ),
    ("o = types.ModuleType('box') / o.__dir__ = {none}", ("dir({o})", "res.append(sorted(dir({o})))")),
    (
        "class B: __init_subclass__ = classmethod({any}) / o = B",
        ("class D({o}): pass", "type('D', ({o},), {{}})"),
    ),
    ("class S: __set_name__ = {any} / o = S()", ("class D: x = {o}", "type('D', (), {{'x': {o}}})")),
    ("class S: __mro_entries__ = {any} / o = S()", ("class D({o}): pass",)),
    ("class S: __class_getitem__ = classmethod({any}) / o = S", ("{o}[1]",)),
    ("class M(type): __prepare__ = classmethod({any}) / o = M", ("class D(metaclass={o}): pass",)),
    (
        "o = {any}",
        (
            "class D(metaclass={o}): pass",
            "@{o} / def g(): pass",
            "@{o} / class D: pass",
            "types.new_class('D', (), {{}}, {o})",
        ),
    ),
    ("class A: __aiter__ = {any} / o = A()", ("asyncio.run(through({o}))",)),
    ("class A: __aenter__ = {any}; __aexit__ = {any} / o = A()", ("asyncio.run(within({o}))",)),
    ("class A: __await__ = {any} / o = A()", ("asyncio.run(awaited({o}))",)),
    (
        "class F: __format__ = {any} / o = F()",
        ('f"{{{o}:3}}"', "'{{:>4}}'.format({o})", "format({o}, 'x')"),
    ),
    (
        "class N: __length_hint__ = {any}; __iter__ = lambda self: iter('ab') / o = N()",
        ("list({o})", "res.extend({o})"),
    ),
    (
        "class N: __index__ = {any} / o = N()",
        ("xs[{o}:]", "bytes({o})", "chr({o})", "[1, 2][{o}]", "round(1.5, {o})"),
    ),
    ("class N: __getitem__ = {any} / o = N()", ("'ab'.translate({o})", "'%(k)s' % {o}", "{o}[0]")),
    (
        "class N: __deepcopy__ = {any}; __copy__ = {any} / o = N()",
        ("copy.deepcopy({o})", "copy.copy([{o}])", "copy.copy({o})"),
    ),
    ("class N: __match_args__ = property({any}) / o = N()", ("match {o}: /     case N(): y += 1",)),
    (
        "class N: __get__ = {any}; __set__ = {any}; __delete__ = {any} / class H: x = N() / o = H()",
        ("{o}.x", "{o}.x = 1", "del {o}.x"),
    ),
    # Libraries, in C and in Python.
    (
        "o = {one}",
        (
            "re.sub('a', {o}, 'aba')",
            "json.loads('{{\"a\": 1}}', object_hook={o})",
            "json.loads('[1.5]', parse_float={o})",
            "json.loads('{{\"a\": 1}}', object_pairs_hook={o})",
            "json.dumps([{{1}}], default={o})",
            "sorted([3, 1], key={o})",
            "max([3, 1], key={o})",
            "[3, 1].sort(key={o})",
            "[(k, list(g)) for k, g in itertools.groupby([1, 2], {o})]",
            "list(itertools.takewhile({o}, [1, 2]))",
            "list(itertools.filterfalse({o}, [1, 2]))",
            "bisect.insort([1, 2], 3, key={o})",
            "heapq.nsmallest(1, [3, 1], key={o})",
            "functools.singledispatch({o})(3)",
            "list(map({o}, [1, 2]))",
            "list(filter({o}, [1, 2]))",
            "statistics.fmean(map({o}, [1, 2]))",
            "asyncio.run(done({o}))",
            "functools.partial({o}, 1)()",
            "operator.call({o}, 1)",
            "copy.deepcopy([1], types.SimpleNamespace(get={o}))",
            "contextlib.ExitStack().push({o})",
            "dict(map({o}, 'ab'))",
            "xs[:] = map({o}, [1, 2])",
            "a, b = map({o}, [1, 2])",
            "res.append([*map({o}, [1, 2])])",
            "str.join('', map({o}, 'ab'))",
        ),
    ),
    (
        "o = {none}",
        (
            "list(iter({o}, 5))[:2] if 0 else next(iter({o}, 5))",
            "contextvars.copy_context().run({o})",
            "contextlib.ExitStack().__enter__().callback({o})",
            "asyncio.run(soon({o}))",
            "with contextlib.ExitStack() as e: e.callback({o})",
            "dataclasses.make_dataclass('D', [('x', int, dataclasses.field(default_factory={o}))])()",
            "type('L', (list,), {{'sort': {o}}})([1]).sort()",
        ),
    ),
    (
        "o = {any}",
        (
            "functools.reduce({o}, [1, 2, 3])",
            "sorted([3, 1], key=functools.cmp_to_key({o}))",
            "list(itertools.accumulate([1, 2], {o}))",
            "list(itertools.starmap({o}, [(1, 2)]))",
            "signal.signal(signal.SIGUSR1, {o}); signal.raise_signal(signal.SIGUSR1)",
            "gc.callbacks.append({o}); gc.collect(); gc.callbacks.remove({o})",
            "weakref.finalize(types.SimpleNamespace(), {o})()",
            "functools.partialmethod({o}).__get__(1)()",
            "type('K', (), {{'p': functools.cached_property({o})}})().p",
            "enum.Enum('E', 'A', type=type('T', (), {{'_missing_': classmethod({o})}}))(9)",
            "list(heapq.merge([1], [2], key={o}))",
            "types.DynamicClassAttribute({o}).__get__(1)",
        ),
    ),
    (
        "class W: write = staticmethod({one}) / o = W()",
        (
            "csv.writer({o}).writerow([1, 'a'])",
            "print('a', file={o})",
            "json.dump([1], {o})",
            "with contextlib.redirect_stdout({o}): print('b')",
        ),
    ),
    (
        "o = operator.methodcaller('append', 4)",
        ("{o}(xs)", "list(map({o}, [xs, q]))", "max([xs, xs], key={o})"),
    ),
    ("o = operator.methodcaller('clear')", ("{o}(d)", "list(map({o}, [xs, s]))", "min([xs], key={o})")),
)
ASYNC = """\
async def through(o):
    async for v in o: pass
async def within(o):
    async with o: pass
async def awaited(o): await o
async def soon(o):
    asyncio.get_running_loop().call_soon(o)
    await asyncio.sleep(0)
async def done(o):
    waiting = asyncio.get_running_loop().create_future()
    waiting.add_done_callback(o)
    waiting.set_result(1)
    await asyncio.sleep(0)
"""


def sibling_program(seed: int) -> HiddenProgram:
    """Return the program of this number: ways take turns, and so do their uses in the first thousand."""
    random = Random(f"sibling {seed}")
    made, uses = MADE[seed % len(MADE)]
    use = random.choice(uses) if seed >= 1000 else uses[seed // len(MADE) % len(uses)]
    kinds = {"one": ONE, "none": NONE, "any": ANY}
    text = made.format(**{kind: c_callable(random, names) for kind, names in kinds.items()})
    *lines, last = text.split(" / ")
    nest, path = nested(random, last[4:]) if last.startswith("o = ") else ([last], "o")
    used = use.format(o=path).replace(" / ", "\n        ")
    body = "".join(f"    {line}\n" for line in [*lines, *nest, *tried(random, used)])
    head = f"{IMPORTS}{MORE}{ASYNC}\ndef f(xs, d, s, q, res):\n    y = 0\n"
    return HiddenProgram("sibling", f"{head}{body}    res.append(len(xs))\n    return res\n")
