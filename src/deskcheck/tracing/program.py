"""Make a Program record: one execution that can be repeated, with the other files that it needs.

    make_program("def f(n): ...", "f", "3", origin="files:a.py") -> Program
    Bundle(path="tool/run.py", name="tool.run", files={"tool/text.py": "..."}, stdin="", no_step_in=["log"])
    prelude_of(bundle) -> "__deskcheck__ = {...}"       goes into Program.prelude: part of the identity
    bundle_of(program) -> Bundle | None              None for a program of one file
    encode_request(program, limits)                  the program and its limits as the payload of a job
    scope = Scope({"tool.py": "", "util.py": "util.py"}.get, no_step_in=["log"])
    scope(code) -> "" for the program's source, the name of another of its files, None for other code
    split_call("f(3)", source, file="a.py") -> ("f", "3")     BadSource for a call that cannot be made
    decoded(data), checked(source, name), imports_of(source, path)      text and imports of a source file

A Program is identified by a digest of its language, prelude, source, entry and arguments. Its `source` is the
file that is called or run (number 0 in the trace's codes). A script is a call of `__main__` with the words of
its command line as arguments. Why a prelude: docs/decisions/007-programs-of-several-files.md.

A scope says which code is stepped into. A rule names a function or class by its qualified name, which also
covers nested names ("Node" and "Node.insert"), or a module by its dotted name ("tool.util"). Code that is not
stepped into runs as a single step, like library code; functions that it calls back are stepped into again.
A job's request has neither origin nor license of the program, because they do not influence a run.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import io
import re
import tokenize
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import CodeType

import msgspec
from msgspec import Struct

from deskcheck.errors import BadSource, UserError
from deskcheck.format.buffers import MARK, escape, unescape
from deskcheck.records import Granularity, Limits, Program
from deskcheck.sandbox.wire import STDIN
from deskcheck.tracing.codes import code_objects


def make_program(
    source: str,
    entry: str,
    arguments: str,
    *,
    origin: str,
    license: str = "unknown",
    prelude: str = "",
    language: str = "python",
) -> Program:
    """Make a Program and compute its id. The lines of its source end in line feeds, as Python reads them."""
    source = with_line_feeds(source) if language == "python" else source
    return Program(
        id=program_id(source, entry, arguments, prelude=prelude, language=language),
        language=language,
        source=source,
        entry=entry,
        arguments=arguments,
        origin=origin,
        license=license,
        prelude=prelude,
    )


def with_line_feeds(source: str) -> str:
    """Return the text with each line ending as a line feed: "\\r\\n" and a lone "\\r" end lines too."""
    return source.replace("\r\n", "\n").replace("\r", "\n") if "\r" in source else source


def program_id(
    source: str, entry: str, arguments: str, *, prelude: str = "", language: str = "python"
) -> str:
    """Return the first 16 hex digits of sha256 over language, prelude, source, entry and arguments."""
    digest = hashlib.sha256()
    for part in (language, prelude, source, entry, arguments):
        data = part.encode("utf-8", "surrogatepass")
        digest.update(f"{len(data)}:".encode())
        digest.update(data)
    return digest.hexdigest()[:16]


SCRIPT = "__main__"
"""Entry of a program that is run as a script."""
CELL = "cell:"
"""Beginning of the origin of a program that was a cell of a notebook; the cell's number follows."""
_HEAD = "__deskcheck__ = "


class Bundle(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The other files of a program, its standard input and its rules for stepping."""

    path: str
    """Path of the program's source in its folder, as tracebacks show it."""
    name: str
    """Name under which the source is imported: "tool.run"; a script is always `__main__`."""
    files: dict[str, str] = {}
    """Path in the folder -> source, for the program's other files."""
    data: dict[str, bytes] = {}
    """Path -> contents, for data files in the folder in which the program runs."""
    stdin: str = ""
    """Text of the program's standard input; "" = none."""
    step_in: list[str] = []
    """Functions, classes or modules: only their code is stepped into; empty = all."""
    no_step_in: list[str] = []
    """Functions, classes or modules that are not stepped into."""


def prelude_of(bundle: Bundle) -> str:
    """Return the bundle's text as an assignment of a literal."""
    import pprint

    return f"{_HEAD}{pprint.pformat(msgspec.to_builtins(bundle, builtin_types=(bytes,)), width=110)}\n"


def bundle_of(program: Program) -> Bundle | None:
    """Return the bundle in a program's prelude, None without one. BadSource if it does not parse."""
    if not has_bundle(program):
        return None
    try:
        found = ast.literal_eval(program.prelude[len(_HEAD) :].strip())
        return msgspec.convert(found, Bundle)
    except (ValueError, SyntaxError, RecursionError, MemoryError, msgspec.ValidationError) as error:
        raise BadSource(f"program {program.id}: its bundle of files does not parse: {error}") from None


def has_bundle(program: Program) -> bool:
    """Whether a program has files of its own beside its source; its prelude holds them."""
    return program.prelude.startswith(_HEAD)


def is_script(program: Program) -> bool:
    """Whether the program is a file run as a script, not a call of a function."""
    return program.entry == SCRIPT


def arguments_of(program: Program) -> list[str]:
    """Return the command-line arguments of a script."""
    if not program.arguments.strip():
        return []
    return [str(value) for value in ast.literal_eval(f"[{program.arguments}]")]


class Scope:
    """Rules for stepping; a tracer calls the scope once per code object."""

    def __init__(
        self,
        file_of: Callable[[str], str | None],
        *,
        main: str = "",
        step_in: Sequence[str] = (),
        no_step_in: Sequence[str] = (),
    ) -> None:
        """Set the rules.

        `file_of`: a code's file name -> its name in the trace, "" for the source; `main`: path of the source.
        """
        self._file_of = file_of
        self._main = main
        self._step_in = list(step_in)
        self._no_step_in = list(no_step_in)

    def __call__(self, code: CodeType) -> str | None:
        """Return the name of the code's file in the trace, "" for the source; None if it is not traced."""
        file = self._file_of(code.co_filename)
        if file is None:
            return None
        if self._step_in and not self._is_named(self._step_in, code, file):
            return None
        return None if self._is_named(self._no_step_in, code, file) else file

    def _is_named(self, names: list[str], code: CodeType, file: str) -> bool:
        return any(
            found == name or found.startswith(f"{name}.")
            for name in names
            for found in (code.co_qualname, module_name(file or self._main))
        )


def module_name(path: str) -> str:
    """Return the module of a path: "tool/util.py" -> "tool.util"; "tool/__init__.py" -> "tool"."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def check_rules(names: Iterable[str], sources: dict[str, str]) -> None:
    """Raise UserError for a rule that matches no name in these sources (path -> text)."""
    if not (names := list(names)):
        return
    known: set[str] = set()
    for path, source in sources.items():
        known.add(module_name(path))
        try:
            body = compile(source, path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):  # the program gets this error when it imports the file
            continue
        known |= {code.co_qualname for code in code_objects(body) if code.co_name[0] != "<"}
    for name in names:
        if not any(found == name or found.startswith(f"{name}.") for found in known):
            shown = ", ".join(sorted(known)[:20])
            raise UserError(f"--step-in '{name}' is no function, class or module here; known: {shown}")


class Request(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Everything that a run depends on, with escaped texts."""

    id: str
    language: str
    source: str
    entry: str
    arguments: str
    prelude: str
    limits: tuple[int, float, int, int, int, int, int, int]
    """The fields of Limits in their order."""
    granularity: Granularity


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Request).decode
_TEXTS = ("id", "language", "source", "entry", "arguments", "prelude")
_ESCAPED = MARK.encode()


def encode_request(program: Program, limits: Limits, *, granularity: Granularity = Granularity.LINE) -> bytes:
    """Encode the payload of one tracing job."""
    texts = {name: escape(getattr(program, name)) for name in _TEXTS}
    return _encode(Request(**texts, limits=msgspec.structs.astuple(limits), granularity=granularity))


def decode_request(payload: bytes) -> tuple[Program, Limits, Granularity]:
    """Return the arguments of `encode_request`; the Program comes back without origin and license."""
    request = _decode(payload)
    plain = msgspec.structs.astuple(request)[: len(_TEXTS)]
    digest, language, source, entry, arguments, prelude = (
        map(unescape, plain) if _ESCAPED in payload else plain
    )
    program = Program(digest, language, source, entry, arguments, "", "", prelude)
    return program, Limits(*request.limits), request.granularity


def files_of(program: Program) -> dict[str, bytes]:
    """Return the files of the program's working folder, for `Job.files`: path -> contents.

    These are its data files, its standard input, and its sources if one of them names `__file__` and so could
    read them.
    """
    bundle = bundle_of(program)
    if bundle is None:
        return {}
    files = dict(bundle.data)
    sources = {bundle.path: program.source} | bundle.files
    if any("__file__" in text for text in sources.values()):
        files = {path: text.encode() for path, text in sources.items()} | files
    return files | ({STDIN: bundle.stdin.encode()} if bundle.stdin else {})


# Values that may turn out to be callable: `double = lambda x: 2 * x`, `add3 = partial(add, 3)`.
_CALLABLE = (ast.Lambda, ast.Call, ast.Name, ast.Attribute)


def split_call(
    call: str, source: str, *, file: str, path: str = "", files: Mapping[str, str] | None = None
) -> tuple[str, str]:
    """Return entry and argument text of a call: "Solution().solve(3)" -> ("Solution().solve", "3").

    `path`, `files`: the source's path, and the program's other files, from which it may import the function.
    BadSource if the text is no call, or calls a name that neither the source nor its imports define.
    """
    call = call.strip()
    try:
        tree = ast.parse(call, mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise BadSource(f"call '{call}' for {file} does not parse: {getattr(error, 'msg', error)}") from None
    name = _root_name(tree.func) if isinstance(tree, ast.Call) else ""
    if not isinstance(tree, ast.Call):
        hint = f"write it with its arguments: '{call}(3)'"
        if not isinstance(tree, ast.Name | ast.Attribute):
            hint = _as_script(tree, call, source, file)
        raise BadSource(f"'{call}' for {file} is not a call; {hint}")
    if not _defines(name, path, {**(files or {}), path: source}, set()):
        defined = functions_of(source)
        hint = f"it defines: {', '.join(defined[:20]) or 'nothing that can be called'}"
        hint += f", and {len(defined) - 20} more" if len(defined) > 20 else ""
        if not name or hasattr(builtins, name):
            hint = _as_script(tree, call, source, file)
        raise BadSource(
            f"call '{call}': {file} defines no '{name or ast.unparse(tree.func)}' at its top level; {hint}"
        )
    text, entry = ast.get_source_segment(call, tree) or "", ast.get_source_segment(call, tree.func) or ""
    if not (entry and text.startswith(entry) and text[len(entry) :].lstrip().startswith("(")):
        text, entry = ast.unparse(tree), ast.unparse(tree.func)  # "(f)(3)"
    return entry, text[len(entry) :].strip()[1:-1].strip()


def _as_script(tree: ast.expr, call: str, source: str, file: str) -> str:
    """Return what to run instead of a call of one function: a script that prints the expression."""
    known = {_base(entry) for entry in functions_of(source)}
    names = dict.fromkeys(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in known)
    module = module_name(file)
    imported = f"from {module} import {', '.join(names)}; " if names else ""
    if not all(part.isidentifier() for part in module.split(".")) or '"' in call or "$" in call:
        return "--call makes one call of a function of the file; run a script that prints the expression"
    return f'run the expression as a script: deskcheck trace -c "{imported}print({call})"'


def _base(entry: str) -> str:
    """Return the name that an entry begins with: "Solution" of "Solution().solve"."""
    return entry.split("(")[0].split(".")[0]


def _defines(name: str, path: str, files: Mapping[str, str], seen: set[tuple[str, str]]) -> bool:
    """Whether a file defines a name that can be called, or imports it from another of these files."""
    source = files.get(path)
    if source is None or (path, name) in seen:
        return False
    seen.add((path, name))
    try:
        if name in map(_base, functions_of(source)):
            return True
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # the program gets this error when it imports the file
        return False
    package = module_name(path) if path.endswith("__init__.py") else module_name(path).rpartition(".")[0]
    for node in _statements(tree.body):
        if not isinstance(node, ast.ImportFrom):
            continue
        for alias in node.names:
            if name == (alias.asname or alias.name) or (alias.name == "*" and name[:1] != "_"):
                base = _absolute("." * node.level + (node.module or ""), package).replace(".", "/")
                wanted = name if alias.name == "*" else alias.name
                if any(_defines(wanted, at, files, seen) for at in (f"{base}/__init__.py", f"{base}.py")):
                    return True
    return False


def functions_of(source: str) -> list[str]:
    """Return what a call may name, in order: "f", "Node().insert", "Box" for a class without public methods.

    Variables whose values may be callable are listed too. SyntaxError or ValueError: the text is not Python.
    """
    return _defined(ast.parse(source).body)


def _defined(body: list[ast.stmt]) -> list[str]:
    names: list[str] = []
    for node in _statements(body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.append(node.name)
        elif isinstance(node, ast.ClassDef):
            methods = [m.name for m in node.body if isinstance(m, ast.FunctionDef) and m.name[0] != "_"]
            names += [f"{node.name}().{name}" for name in methods] or [node.name]
        elif isinstance(node, ast.Assign):
            names += [name for target in node.targets for name in _callables(target, node.value)]
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            names += _callables(node.target, node.value)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.NamedExpr):
            names += _callables(node.value.target, node.value.value)
    return names


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that a module runs itself, with those inside `if`, `try`, `match`, .."""
    for node in body:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for block in (node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                for part in ("body", "orelse", "finalbody"):
                    yield from _statements(getattr(block, part, []))


def _callables(target: ast.expr, value: ast.expr) -> list[str]:
    """Return the names that an assignment binds to what may be callable."""
    if isinstance(target, ast.Name):
        return [target.id] if isinstance(value, _CALLABLE) else []
    if not isinstance(target, ast.Tuple | ast.List):
        return []
    is_paired = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts)
    values = (
        value.elts if is_paired and isinstance(value, ast.Tuple | ast.List) else [value] * len(target.elts)
    )
    return [name for pair in zip(target.elts, values, strict=True) for name in _callables(*pair)]


def _root_name(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def checked(source: str, name: str, hint: str = "") -> str:
    """Return the same source. BadSource if it does not parse as Python."""
    try:
        ast.parse(source, filename=name)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 0
        raise BadSource(f"{name}, line {line} does not parse: {getattr(error, 'msg', error)}{hint}") from None
    return source


def decoded(data: bytes) -> str:
    """Decode source as Python does: as UTF-8, or in the encoding that its first lines name (PEP 263).

    Every line ends in a line feed, as Python reads it. SyntaxError or UnicodeError if it cannot be decoded.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    try:
        text = data.decode(encoding)
    except LookupError:  # rot13, hex: they are codecs, but not from bytes to text
        raise SyntaxError(f"encoding problem: {encoding}") from None
    return with_line_feeds(text)


@lru_cache(maxsize=4096)  # a build asks for the files of a package once per module of it
def imports_of(source: str, path: str) -> tuple[str, ...]:
    """Return the dotted names that a file imports and that may be modules, each once."""
    return tuple(dict.fromkeys(_imports(source, path)))


def _imports(source: str, path: str) -> Iterator[str]:
    """Yield the dotted names that a file imports and that may be modules, with relative names resolved."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # the program gets this error when it imports the file
        return
    package = module_name(path) if path.endswith("__init__.py") else module_name(path).rpartition(".")[0]
    dotted: list[str] = []
    is_computed = False
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute("." * node.level + (node.module or ""), package)
            yield base
            yield from (f"{base}.{alias.name}".strip(".") for alias in node.names)
        elif isinstance(node, ast.Call) and _called_name(node) in ("__import__", "import_module"):
            names = [one.value for one in node.args[:1] if isinstance(one, ast.Constant)]
            yield from (_absolute(name, package) for name in names if isinstance(name, str))
            is_computed |= not names
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _DOTTED.fullmatch(node.value):
            dotted.append(node.value.replace(":", "."))
    if is_computed:
        # The file's strings may name modules, or members of modules: "p.plugins.tables.plugin".
        yield from (part for name in dotted for part in (name, name.rpartition(".")[0]))


_DOTTED = re.compile(r"[^\W\d]\w*([.:][^\W\d]\w*)+")


def _absolute(name: str, package: str) -> str:
    """Return the dotted name of an import in a package: "..b" in "p.q" -> "p.b"."""
    level = len(name) - len(name.lstrip("."))
    parts = package.split(".")
    above = parts[: len(parts) + 1 - level] if level else []
    return ".".join([*above, name[level:]]).strip(".")


def _called_name(node: ast.Call) -> str:
    """Return the last name of what is called: "import_module" for `importlib.import_module(..)`."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""
