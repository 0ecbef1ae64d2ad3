"""Calls into modules of the standard library: their own doctests, and inputs made for their Python code.

DOCTESTS          modules whose docstrings have examples that run anywhere
CALLS[module]     expressions over the module `m`, which is loaded without its C accelerator
cases(name) -> [(label, function without arguments)]
"""

# ruff: noqa: E501  (one call a line)
from __future__ import annotations

import contextlib
import doctest
import importlib
import importlib.util
import io
import sys
from collections.abc import Callable, Iterator
from types import ModuleType

DOCTESTS = (
    "collections", "difflib", "enum", "fractions", "heapq", "http.cookies", "ipaddress", "json", "pickle",
    "pickletools", "statistics", "textwrap", "typing", "uuid",
)  # fmt: skip
_WITHOUT = {
    "bisect": ["_bisect"], "heapq": ["_heapq"], "json.decoder": ["_json"], "json.encoder": ["_json"],
    "json.scanner": ["_json"], "functools": ["_functools"], "operator": ["_operator"], "csv": [],
}  # fmt: skip
_TEXT = "'the quick brown fox -- jumps over\\n  the lazy dog ' * 3"
CALLS: dict[str, list[str]] = {
    "abc": ["sorted(m.get_cache_token() is not None for _ in range(2))", "m.update_abstractmethods(type('C', (m.ABC,), {}))"],
    "ast": [
        "m.literal_eval('{1: [2, (3, -4.5)], \"a\": {5, 6}}')", "m.unparse(m.parse('def f(a, *b, c=1):\\n  return [x for x in a if x]'))",
        "m.dump(m.parse('x = 1 + 2'), indent=2)", "[type(n).__name__ for n in m.walk(m.parse('a.b[c](d)'))]",
        "m.get_docstring(m.parse('\"doc\"\\nx = 1'))",
    ],
    "base64": [
        "m.b32encode(b'hello')", "m.b32decode(b'NBSWY3DP')", "m.b85encode(b'some bytes!')", "m.b85decode(m.b85encode(b'x' * 9))",
        "m.a85encode(bytes(8) + b'    ', foldspaces=True, wrapcol=5)", "m.a85decode(b'87cURD]i')", "m.b64decode('YWI?', validate=True)",
        "m.encodebytes(b'x' * 99)", "m.b16decode('ff', casefold=True)",
    ],
    "bisect": ["[m.bisect_left([1, 3, 5, 7], x) for x in range(9)]", "m.insort(list('acd'), 'b', key=lambda c: c)", "m.bisect([], 1, -1)"],
    "calendar": [
        "m.TextCalendar().formatmonth(2024, 2)", "m.HTMLCalendar().formatmonth(2023, 12)", "m.monthrange(2100, 2)",
        "m.Calendar(6).monthdayscalendar(2021, 5)", "m.timegm((2020, 1, 2, 3, 4, 5))", "m.monthrange(2020, 13)",
    ],
    "cmd": ["m.Cmd().parseline('help me!')", "m.Cmd().onecmd('help')", "m.Cmd().completenames('h')"],
    "codecs": ["m.encode('abc', 'rot13')", "list(m.iterencode(['a', 'ä'], 'utf-8'))", "m.IncrementalEncoder().getstate()"],
    "colorsys": ["m.rgb_to_hls(0.2, 0.4, 0.8)", "m.hls_to_rgb(0.6, 0.5, 0.5)", "m.rgb_to_hsv(1, 0, 0.5)", "m.hsv_to_rgb(0.9, 1, 0.3)", "m.yiq_to_rgb(*m.rgb_to_yiq(.1, .5, .9))"],
    "configparser": ["_config(m)", "m.ConfigParser().get('no', 'such')"],
    "contextlib": ["_contexts(m)"],
    "copy": ["m.deepcopy([[1], {'a': (2, [3])}])", "_shared(m)", "m.copy({1: [2]})"],
    "csv": ["m.Sniffer().sniff('a;b;c\\n1;2;3\\n4;5;6\\n').delimiter", "m.Sniffer().has_header('name,n\\nx,1\\ny,2\\n')", "list(m.DictReader(['a,b', '1,2', '3']))", "_dict_writer(m)"],
    "dataclasses": ["_dataclass(m)"],
    "dis": ["[i.opname for i in m.get_instructions('x = y + 1')]", "m.code_info('a = 1')[:20]", "m.findlabels(compile('while x: y', '', 'exec').co_code)"],
    "email.quoprimime": ["m.body_encode('a=b\\tc ü \\n' * 2)", "m.header_encode(b'h\\xe9 o')", "m.decode('a=3Db=\\nc')"],
    "email.utils": ["m.parseaddr('Jo <a@b.c>')", "m.getaddresses(['a@b.c, \"X, Y\" <d@e.f> (comment)'])", "m.formataddr(('Jö', 'a@b.c'))", "m.parsedate_tz('Mon, 20 Nov 1995 19:12:08 -0500')"],
    "email._parseaddr": ["m.AddressList('a@b.c, (x) Y <d@e>').addresslist", "m.mktime_tz((2020, 1, 2, 3, 4, 5, 0, 0, 0, 3600))"],
    "fnmatch": ["m.translate('a[!b-d]*?.tx*')", "m.filter(['a.py', 'b.c', 'c.py'], '*.py')", "m.fnmatch('x', '[')"],
    "functools": ["_functions(m)", "m.reduce(lambda a, b: a * b, [1, 2, 3, 4])", "m.partial(max, 3)(1, 2)"],
    "getopt": ["m.getopt(['-a', '1', '--long=x', 'rest'], 'a:', ['long='])", "m.gnu_getopt(['x', '-b'], 'b')", "m.getopt(['--no'], '', ['yes'])"],
    "gettext": ["[m.c2py('n!=1')(n) for n in range(3)]", "m.c2py('n%10==1 && n%100!=11 ? 0 : n>5 || n<2 ? 1 : 2')(7)", "m.c2py('import os')"],
    "graphlib": ["list(m.TopologicalSorter({'d': {'b', 'c'}, 'b': {'a'}, 'c': {'a'}}).static_order())[::3]", "m.TopologicalSorter({1: [2], 2: [1]}).prepare()"],
    "heapq": ["_heap(m)", "list(m.merge([1, 4], [2, 3], key=lambda x: x))", "m.nsmallest(2, [5, 1, 4], key=lambda x: -x)", "m.nlargest(3, 'hello')"],
    "html": ["m.escape('<a b=\"c\">')", "m.unescape('&lt;&#x41;&notin;&amp')"],
    "html.parser": ["_html(m)"],
    "inspect": ["str(m.signature(lambda a, /, b=1, *c, d, **e: 0))", "m.cleandoc('  a\\n    b\\n  c')", "m.getcallargs(lambda a, b=2: 0, 1)", "m.signature(lambda a: 0).bind()"],
    "json.decoder": ["m.py_scanstring('a\\\\u00e9\\\\n\"', 0)", "m.JSONDecoder().decode('{\"a\": [1, 2.5, null, true]}')", "m.JSONDecoder().decode('[1,]')"],
    "json.encoder": ["''.join(m.JSONEncoder(indent=1, sort_keys=True).iterencode({'b': [1, None], 'a': {'c': 2.5}}))", "m.py_encode_basestring_ascii('é\\n\"')", "m.JSONEncoder().encode({1j: 2})"],
    "keyword": ["m.iskeyword('if')"],
    "linecache": ["m.getline('no such file', 3)", "m.checkcache()"],
    "mimetypes": ["m.MimeTypes().guess_type('a.tar.gz')", "m.MimeTypes().guess_all_extensions('text/plain')[:1]"],
    "ntpath": ["m.join('c:\\\\a', '..', 'b')", "m.normpath('a/./b//../c')", "m.splitdrive('//h/s/x')", "m.relpath('c:\\\\a', 'c:\\\\b')"],
    "operator": ["m.attrgetter('real', 'imag')(2)", "m.itemgetter(1, 0)('ab')", "m.methodcaller('upper')('a')", "m.countOf([1, 2, 1], 1)", "m.indexOf([1], 2)"],
    "optparse": ["_options(m)"],
    "plistlib": ["m.loads(m.dumps({'a': [1, True, b'x', {'b': 2.5}]}))", "m.dumps([1, 'x'], fmt=m.FMT_BINARY)[:6]"],
    "posixpath": ["m.normpath('//a/./b/../c/')", "m.relpath('/a/b', '/a/c/d')", "m.splitext('x.tar.gz')", "m.commonpath(['/a/b', '/a/c'])", "m.expandvars('$NOPE/${X}y')"],
    "pprint": ["m.pformat({'a': list(range(30)), 'b': {'c': ('x' * 50, {1, 2})}}, width=40)", "m.isreadable([1, {}])"],
    "quopri": ["m.encodestring(b'a=b\\t\\n')", "m.unhex(b'4f')"],
    "random": ["m.Random(5).sample(range(50), 6)", "_shuffled(m)", "m.Random(2).choices('abc', weights=[1, 2, 3], k=5)", "m.Random(3).gauss(0, 1)", "m.Random(1).randrange(5, 5)"],
    "reprlib": ["m.Repr().repr([list(range(20))] * 9)", "m.Repr().repr({'a' * 50: {1, 2, 3}})"],
    "sched": ["_scheduled(m)"],
    "shlex": ["m.split(\"a 'b c' d\\\\ e # f\", comments=True)", "list(m.shlex('a=b(c)'))", "m.quote(\"it's\")", "m.split('\"open')"],
    "stat": ["m.filemode(0o100755)", "m.filemode(0o41777)"],
    "string": ["m.Template('$a ${b} $$').substitute(a=1, b=2)", "m.capwords(' ab  cd ')", "m.Formatter().format('{0!r:>5} {x[1]}', 'q', x=[1, 2])", "m.Template('$no').substitute()"],
    "textwrap": [f"m.wrap({_TEXT}, 20)", f"m.fill({_TEXT}, 30, initial_indent='* ', max_lines=2)", "m.dedent('   a\\n     b\\n')", "m.shorten('hello big world', 9)"],
    "tokenize": ["[t.string for t in m.generate_tokens(iter(['def f(x):\\n', '  return x+1\\n']).__next__)]", "m.untokenize([(1, 'a'), (54, '='), (2, '1')])"],
    "traceback": ["_formatted(m)"],
    "types": ["m.new_class('C', (), {}, lambda ns: ns.update(x=1)).x", "m.resolve_bases((int,))"],
    "urllib.parse": ["m.urlsplit('http://u:p@h:80/p;x?q=1#f')[:]", "m.parse_qs('a=1&b=%20x&a=2')", "m.quote('a b/ü')", "m.urljoin('http://a/b/c', '../d')", "m.urlencode({'a': [1, 2]}, doseq=True)", "m.unquote('%E4%', errors='replace')", "m.urlsplit('//h:x').port"],
    "uuid": ["m.UUID('12345678123456781234567812345678').fields", "m.uuid5(m.NAMESPACE_DNS, 'x').hex", "m.UUID('no')"],
    "weakref": ["_weak(m)"],
    "xml.sax.saxutils": ["m.escape('<a&b>', {'b': '!'})", "m.quoteattr('a\"b')", "m.unescape('&lt;')"],
    "zipfile": ["_zip(m)"],
}  # fmt: skip


# ------------------------------------------------------------------ calls that need more than an expression


def _config(m):
    parser = m.ConfigParser()
    parser.read_string("[a]\nx = 1\ny = %(x)s2\n  more\n[b]\nz: true\n")
    out = io.StringIO()
    parser.write(out)
    return parser.get("a", "y"), parser.getboolean("b", "z"), parser.sections(), out.getvalue()


def _contexts(m):
    log = []

    @m.contextmanager
    def entered(name):
        log.append(name)
        try:
            yield name
        except KeyError:
            log.append("caught")
        finally:
            log.append(f"left {name}")

    with m.ExitStack() as stack:
        stack.enter_context(entered("a"))
        stack.callback(log.append, "called")
        stack.enter_context(m.suppress(ValueError))
        with entered("b"):
            raise KeyError
    return log


def _shared(m):
    inner = [1]
    outer = {"a": inner, "b": [inner, inner]}
    outer["self"] = outer
    made = m.deepcopy(outer)
    return made["a"] is made["b"][1], made["self"] is made


def _dict_writer(m):
    out = io.StringIO()
    writer = m.DictWriter(out, ["a", "b"], restval="-")
    writer.writeheader()
    writer.writerow({"a": 1})
    return out.getvalue()


def _dataclass(m):
    @m.dataclass(order=True, frozen=True)
    class Point:
        x: int
        y: list = m.field(default_factory=list, compare=False)

    one = m.replace(Point(1, [2]), x=3)
    return m.asdict(one), m.astuple(one), [f.name for f in m.fields(one)], Point(1) < Point(2)


def _functions(m):
    @m.lru_cache(maxsize=3)
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    @m.singledispatch
    def kind(value):
        return "other"

    kind.register(int, lambda value: "int")

    @m.total_ordering
    class Low:
        def __lt__(self, other):
            return True

    return (
        fib(12),
        fib.cache_info()[:],
        kind(1),
        kind("x"),
        sorted([3, 1, 2], key=m.cmp_to_key(lambda a, b: b - a)),
        Low() >= Low(),
    )


def _heap(m):
    heap = [5, 3, 8, 1]
    m.heapify(heap)
    m.heappush(heap, 2)
    return [m.heappop(heap) for _ in range(3)], m.heapreplace(heap, 0), m.heappushpop(heap, 9)


def _html(m):
    found = []

    class Parser(m.HTMLParser):
        def handle_starttag(self, tag, attrs):
            found.append((tag, attrs))

        def handle_data(self, data):
            found.append(data)

    Parser().feed("<p class='x'>a &amp; b<br/><!-- c --></p><script>1<2</script>")
    return found


def _options(m):
    parser = m.OptionParser(prog="p", usage="%prog [x]")
    parser.add_option("-n", "--number", type="int", default=3, help="a number")
    parser.add_option("-v", action="store_true")
    options, rest = parser.parse_args(["-v", "--number=4", "rest"])
    return options.number, options.v, rest, parser.format_help()


def _shuffled(m):
    items = list(range(10))
    m.Random(7).shuffle(items)
    return items


def _scheduled(m):
    log, now = [], [0]
    schedule = m.scheduler(lambda: now[0], lambda s: now.__setitem__(0, now[0] + s))
    schedule.enter(5, 1, log.append, ("late",))
    schedule.enter(1, 1, log.append, ("soon",))
    schedule.run()
    return log, now


def _formatted(m):
    try:
        try:
            [][0]
        except IndexError as error:
            raise ValueError("outer") from error
    except ValueError as error:
        return [line.split(", line")[-1][-40:] for line in m.format_exception_only(error)]


def _weak(m):
    class Thing:
        pass

    one, two = Thing(), Thing()
    table = m.WeakValueDictionary(a=one)
    keys = m.WeakKeyDictionary({two: 1})
    del one
    return list(table), len(keys), m.finalize(two, len, "x")()


def _zip(m):
    out = io.BytesIO()
    with m.ZipFile(out, "w", m.ZIP_DEFLATED) as archive:
        archive.writestr(m.ZipInfo("a/b.txt", (2020, 1, 1, 0, 0, 0)), "hello" * 20)
    with m.ZipFile(out) as archive:
        return archive.namelist(), archive.read("a/b.txt")[:9], m.Path(archive).joinpath("a").name


# ------------------------------------------------------------------ modules and cases

_HELPERS = {
    name: value for name, value in list(globals().items()) if name.startswith("_") and callable(value)
}


def load(name: str) -> ModuleType:
    """A fresh module, loaded without the C code that would replace its functions."""
    blocked = _WITHOUT.get(name)
    if blocked is None:
        return importlib.import_module(name)
    before = {one: sys.modules.get(one) for one in [*blocked, name]}
    try:
        for one in blocked:
            sys.modules[one] = None  # type: ignore[assignment]
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        for one, module_before in before.items():
            if module_before is None:
                sys.modules.pop(one, None)
            else:
                sys.modules[one] = module_before
    return module


def cases(name: str, module: ModuleType) -> Iterator[tuple[str, Callable[[], object]]]:
    """(what is called, a function that calls it). Calling it again does the same again."""
    for expression in CALLS.get(name, ()):
        code = compile(expression, "<call>", "eval")
        yield expression, lambda code=code: eval(code, {**_HELPERS, "m": module})
    if name in DOCTESTS:
        for test in doctest.DocTestFinder(exclude_empty=True).find(module):
            if test.examples:
                yield f"doctest of {test.name}", lambda test=test: _examples(test)


def _examples(test: doctest.DocTest) -> list[str]:
    """What each example of a docstring prints or raises; whether that is right is not the question here."""
    names = dict(test.globs)
    found = []
    for example in test.examples:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                exec(compile(example.source, "<doctest>", "single"), names)
            except Exception as error:
                out.write(type(error).__name__)
        found.append(out.getvalue())
    return found
