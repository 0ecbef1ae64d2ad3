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
import argparse, array, asyncio, bisect, builtins, codecs, contextlib, contextvars, copy, copyreg, csv
import dataclasses, datetime, difflib, enum, gc, heapq, html.parser, io, json, logging, os, pickle, queue
import random, re, reprlib, sched, signal, statistics, string, threading, timeit, warnings
"""
# Attributes that the interpreter and libraries in C ask any object for.
ASKED = (
    "{{**{o}}}",
    "dict({o})",
    "d.update({o})",
    "print('a', file={o})",
    "csv.writer({o}).writerow([1, 'a'])",
    "json.dump([1], {o})",
    "contextlib.closing({o}).__exit__(None, None, None)",
    "with contextlib.redirect_stdout({o}): print('b')",
    "class D({o}): pass",
    "copy.copy({o})",
    "getattr({o}, 'anything')(1)",
    "{o}.anything(1)",
    "operator.methodcaller('anything', 1)({o})",
    "list(map(operator.call, [{o}.anything], [1]))",
)
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
    # Python code that gives such a callable to code in C.
    ("class C: /     def __getattr__(self, name): return {any} / o = C()", ASKED),
    (
        "class C: /     def __getattribute__(self, name): return {none} if name == 'keys' else {one} / "
        "o = C()",
        ("{{**{o}}}", "dict({o})", "print('a', file={o})", "json.dump([1], {o})"),
    ),
    (
        "class C: /     def __getattr__(self, name): return {none} if name == 'keys' else {one} / o = C()",
        ASKED,
    ),
    (
        "o = types.ModuleType('box') / o.__getattr__ = lambda name: {none} if name == 'keys' else {one}",
        ("{{**{o}}}", "dict({o})", "print('a', file={o})", "class D({o}): pass", "d.update({o})"),
    ),
    (
        # `C[k]` must not lengthen the list of keys that it comes from: plain Python would find no end.
        "class M(type): /     def __getattr__(self, name): "
        "return {none} if name == 'keys' else repr if name == '__class_getitem__' else {one} / "
        "class C(metaclass=M): pass / o = C",
        ("{{**{o}}}", "print('a', file={o})", "{o}[1]", "dict({o})"),
    ),
    (
        "class G: /     def __get__(self, obj, kind=None): return {none} / class C: keys = G() / o = C()",
        ("{{**{o}}}", "dict({o})", "d.update({o})"),
    ),
    (
        "class G: /     def __get__(self, obj, kind=None): return {one} / class C: write = G() / o = C()",
        ("print('a', file={o})", "csv.writer({o}).writerow([1, 'a'])", "json.dump([1], {o})"),
    ),
    ("class C: keys = property(lambda self: {none}) / o = C()", ("{{**{o}}}", "dict({o})")),
    ("class C: write = property(lambda self: {one}) / o = C()", ("print('a', file={o})",)),
    (
        "class C: /     __iter__ = lambda self: self /     __next__ = lambda self: 1 / "
        "    def __getattr__(self, name): return {none} / o = C()",
        (
            "g = delegated({o}); next(g); g.close()",
            "g = delegated({o}); next(g); g.throw(ValueError)",
            "g = delegated({o}); next(g); g.send(1)",
            "g = delegated({o}); next(g); g = 0",
        ),
    ),
    (
        "class C: /     def __iter__(self): return map({one}, [1, 2]) / o = C()",
        (
            "list({o})",
            "a, b = {o}",
            "[*{o}]",
            "for v in {o}: y += 1",
            "3 in {o}",
            "xs[1:] = {o}",
            "a, *b = {o}",
            "dict(zip('ab', {o}))",
            "[v for v in {o}]",
            "{{v: 1 for v in {o}}}",
            "max({o}, default=0)",
            "sum(1 for v in {o})",
            "list(itertools.chain.from_iterable([{o}]))",
            "list(enumerate({o}))",
            "array.array('i', {o})",
            "asyncio.run(awaited(types.SimpleNamespace(v={o}).v))",
            "next(iter({o}))",
        ),
    ),
    ("class C: /     def __await__(self): return map({one}, [1]) / o = C()", ("asyncio.run(awaited({o}))",)),
    (
        "class C: /     def __reduce__(self): return {one}, (1,) / o = C()",
        ("copy.copy({o})", "copy.deepcopy([{o}])"),
    ),
    (
        "class C: pass / copyreg.dispatch_table[C] = {one} / o = C()",
        ("copy.copy({o})", "pickle.dumps({o})", "copy.deepcopy({o})"),
    ),
    # Over a method of a base in C, which calls it by its name.
    (
        "class C(io.RawIOBase): /     writable = lambda self: True /     write = staticmethod({one}) / "
        "o = C()",
        (
            "io.BufferedWriter({o}).write(b'a')",
            "w = io.BufferedWriter({o}); w.write(b'a'); w.flush()",
            "w = io.BufferedWriter({o}); w.write(b'a') / y += 1 / w = None",
            "{o}.writelines([b'a', b'b'])",
        ),
    ),
    (
        "class C(io.RawIOBase): /     readable = lambda self: True /     readinto = staticmethod({one}) / "
        "o = C()",
        (
            "{o}.read(3)",
            "io.BufferedReader({o}).read(1)",
            "for v in {o}: break",
            "next({o})",
            "{o}.readline()",
        ),
    ),
    (
        "class C(io.IOBase): readline = staticmethod({none}) / o = C()",
        ("for v in {o}: break", "next({o})", "list(itertools.islice({o}, 1))", "{o}.readlines(3)"),
    ),
    (
        "class C(io.IOBase): flush = staticmethod({none}) / o = C()",
        ("o = None", "{o}.close()", "with {o}: pass"),
    ),
    ("class C(io.IOBase): close = staticmethod({none}) / o = C()", ("o = None", "with {o}: pass")),
    (
        "class C(datetime.tzinfo): utcoffset = {any} / o = datetime.datetime(2020, 1, 1, tzinfo=C())",
        (
            "{o} - datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)",
            "str({o})",
            "hash({o})",
            "{o} < datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)",
            "{o}.utcoffset()",
        ),
    ),
    (
        "class C(pickle.Pickler): persistent_id = staticmethod({one}) / o = C(io.BytesIO())",
        ("{o}.dump([1])", "{o}.dump('a')"),
    ),
    (
        "class C(random.Random): random = staticmethod({none}) / o = C()",
        ("{o}.uniform(1, 2)", "{o}.choice([1, 2])", "{o}.shuffle([1, 2])"),
    ),
    # What libraries and the interpreter have been given.
    (
        "codecs.register_error('own', {one}) / o = 'a\u00e9'",
        ("{o}.encode('ascii', 'own')", "bytes({o}, 'ascii', 'own')", "b'\\xff'.decode('ascii', 'own')"),
    ),
    (
        "codecs.register_error('own', {any}) / o = b'a\\xff'",
        ("{o}.decode('ascii', 'own')", "str({o}, 'ascii', 'own')", "bytearray('\u00e9', 'ascii', 'own')"),
    ),
    (
        "o = {none}",
        (
            "old = sys.breakpointhook; sys.breakpointhook = {o} / try: breakpoint() / "
            "finally: sys.breakpointhook = old",
            "timeit.Timer({o}).timeit(1)",
            "t = threading.Thread(target={o}); t.start(); t.join()",
            "t = threading.Timer(0, {o}); t.start(); t.join()",
            "c = sched.scheduler({o}, {o}); c.enter(0, 1, {o}); c.run()",
            "gc.callbacks.append(lambda *a: None); gc.callbacks.pop(); next(iter({o}, 5))",
            "type('L', (threading.local,), {{'__init__': lambda self: {o}()}})()",
            "class E(enum.Enum): /     _generate_next_value_ = staticmethod({o}) /     A = enum.auto()",
            "list(itertools.chain(iter({o}, 5)))[:1] if 0 else next(itertools.chain(iter({o}, 5)))",
            "a, *b = itertools.islice(iter({o}, 5), 2)",
            "[v for v in itertools.islice(iter({o}, 5), 2)]",
            "f = contextlib.ExitStack(); f.callback({o}) / y += 1 / f.close()",
            "f = weakref.finalize(s1 := types.SimpleNamespace(), {o}) / s1 = y",
        ),
    ),
    (
        "o = {one}",
        (
            "old = sys.displayhook; sys.displayhook = {o} / try: exec(compile('1', '', 'single')) / "
            "finally: sys.displayhook = old",
            "with warnings.catch_warnings(): /     warnings.simplefilter('always') / "
            "    warnings.showwarning = {o} /     warnings.warn('a')",
            "old = warnings._showwarnmsg; warnings._showwarnmsg = {o}; warnings.simplefilter('always') / "
            "try: warnings.warn('a') / finally: warnings._showwarnmsg = old; warnings.resetwarnings()",
            "old = builtins.__import__; builtins.__import__ = {o} / try: import nothing / "
            "finally: builtins.__import__ = old",
            "f = types.SimpleNamespace(find_spec={o}) / sys.meta_path.insert(0, f) / try: import nothing / "
            "finally: sys.meta_path.remove(f)",
            "w = queue.Queue(); w._put = {o}; w.put(3)",
            "h = html.parser.HTMLParser(); h.handle_data = {o}; h.feed('a<b>c')",
            "g = functools.singledispatch(lambda v: v); g.register(int, {o}) / y += 1 / g(3)",
            "p = argparse.ArgumentParser(); p.add_argument('a', type={o}); p.parse_args(['1'])",
            "difflib.SequenceMatcher({o}, 'ab', 'ab')",
            "list(os.walk('nothing here', onerror={o}))",
            "h = logging.StreamHandler(types.SimpleNamespace(write={o}, flush=list)) / "
            "h.emit(logging.makeLogRecord({{'msg': 'a'}}))",
            "c = __import__('sqlite3').connect(':memory:'); c.create_function('f', 1, {o}) / y += 1 / "
            "c.execute('select f(1)').fetchall()",
            "p = __import__('pyexpat').ParserCreate(); p.CharacterDataHandler = {o} / y += 1 / "
            "p.Parse('<a>b</a>', True)",
            "[k for k, g in itertools.groupby([1, 2], {o})]",
            "{{k: list(g) for k, g in itertools.groupby([1, 2], {o})}}",
            "for k, g in itertools.groupby([1, 2], {o}): y += 1",
            "[v for v in filter({o}, [1, 2])]",
            "[v for v in itertools.filterfalse({o}, [1, 2])]",
            "[v for v in itertools.dropwhile({o}, [1, 2])]",
            "sum(1 for v in map({o}, [1, 2]))",
            "any(map({o}, [1, 2]))",
            "a = itertools.tee(map({o}, [1, 2])) / y += 1 / next(a[1])",
            "list(itertools.zip_longest('abc', map({o}, [1, 2])))",
            "list(itertools.product(map({o}, [1, 2])))",
            "dict(enumerate(map({o}, [1, 2])))",
            "array.array('i', map({o}, [1, 2]))",
            "(lambda *a: None)(*map({o}, [1, 2]))",
            "types.MethodType({o}, 1)()",
            "operator.methodcaller('__call__', 1)({o})",
            "functools.partial(functools.reduce, {o}, [1, 2])()",
            "re.compile('a').sub({o}, 'aba')",
            "f = contextlib.ExitStack(); f.push(functools.partial(max, 1, 2, key={o})) / y += 1 / f.close()",
            "asyncio.run(later({o}))",
            "r = reprlib.Repr(); r.repr_int = functools.partial(max, 1, 2, key={o}); r.repr(3)",
            "__import__('ctypes').PYFUNCTYPE(None, __import__('ctypes').py_object)({o})(3)",
        ),
    ),
    (
        "signal.signal(signal.SIGUSR1, {any}) / o = signal.SIGUSR1",
        ("signal.raise_signal({o})", "os.kill(os.getpid(), {o})"),
    ),
    (
        "class N: __buffer__ = {any}; __release_buffer__ = {any} / o = N()",
        ("bytes({o})", "memoryview({o}).release()", "b''.join([{o}])"),
    ),
    (
        "class N: __subclasshook__ = classmethod({any}) / o = N",
        ("isinstance(1, {o})", "issubclass(int, {o})"),
    ),
    (
        "class N: __subclasshook__ = classmethod({any}) / o = type('A', (N,), {{}}, )",
        ("isinstance(1, {o})", "k = {o} / match 1: /     case k(): pass"),
    ),
)
ASYNC = """\
def delegated(o): yield from o
async def through(o):
    async for v in o: pass
async def within(o):
    async with o: pass
async def awaited(o): await o
async def soon(o):
    asyncio.get_running_loop().call_soon(o)
    await asyncio.sleep(0)
async def later(o):
    asyncio.get_running_loop().call_later(0, o, 1)
    await asyncio.sleep(0.001)
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
