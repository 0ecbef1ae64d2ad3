"""files: your own functions, called as you say or as comments in their files say.

    programs(SourceOptions(source="files", path="a.py", calls=["f(3)"]))      -> Program
    programs(SourceOptions(source="files", path="examples/"))                -> Program ... of all its files

A file can name calls in comment lines `# deskcheck: f(3)`. A calls file is JSON lines: {"call": "f(3)"}, or
{"call": .., "file": "a.py"} if the path is a folder. Nothing is run here: a call is only parsed, and its
function must be defined at the top level of the file. A file in JavaScript, TypeScript or C is known by the
ending of its name, and its comment lines are `// deskcheck: f(3)`.

    program_of(TraceRequest("tool.py", call="f(3)"))                 the file with the files that it imports
    program_of(TraceRequest("tool.py", arguments=["a", "-v"]))       the file as a script
    program_of(TraceRequest("pkg.tool", is_module=True))             as `python -m pkg.tool`, from this folder

The program's own files are the files that its imports reach. They are read, not run. They are looked for in
the folder of a script, in the folder above the outermost package of a file that is called, or in the current
folder for -m. Everything else is a library. Imports whose names are made at run time are not found; `--file`
adds such modules, and data files.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Iterator
from importlib.machinery import PathFinder
from pathlib import Path

import msgspec
from msgspec import Struct

from deskcheck.errors import BadSource, UserError
from deskcheck.file_requests import LANGUAGES, parts_of, source_of
from deskcheck.plugins import SourceOptions
from deskcheck.records import Program
from deskcheck.tracing.program import (
    SCRIPT,
    Bundle,
    check_rules,
    checked,
    decoded,
    imports_of,
    make_program,
    module_name,
    prelude_of,
    split_call,
)
from deskcheck.tracing.requests import TraceRequest

TRUST = "named"  # containment.admit: the user named the files
TAKES = ("path", "calls", "calls_file", "license")
_SHOWN = "it is a saved run; `deskcheck view` shows it"
_OTHER_FILES = {
    ".ipynb": "it is a notebook; `jupyter nbconvert --to script` makes a .py of it",
    ".deskcheck": _SHOWN,
    ".parquet": _SHOWN,
}
_OTHER_COMMENT = re.compile(r"^[ \t]*//[ \t]*deskcheck:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*#[ \t]*deskcheck:[ \t]*(.+?)[ \t]*$", re.MULTILINE)


class CallLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a calls file."""

    call: str
    file: str = ""
    """Path below the named folder, or the named file's name; "" = the only file."""


def programs(options: SourceOptions) -> Iterator[Program]:
    """Yield one program per call, in order of files, then of calls.

    UserError for a missing file or call, BadSource for a file that does not parse or a call that is wrong.
    """
    if not options.path:
        raise UserError("name a file or folder: deskcheck build files PATH --call 'f(3)'")
    root = Path(options.path)
    files = _files(root)
    named = [CallLine(call) for call in options.calls] + _read_calls(options.calls_file)
    _check_named(named, files, root)
    result: list[
        Program
    ] = []  # all are made before the first is yielded, so that a wrong call is reported at the beginning
    for file in files:
        relative = _name_below(root, file)
        calls = [line.call for line in named if not line.file or line.file == relative]
        if named and not calls:
            continue
        if language := LANGUAGES.get(file.suffix, ""):
            result += _in_language(file, language, calls, options.license, name=relative)
            continue
        source = read_source(file)
        calls = calls if named else _COMMENT.findall(source)
        path, others, prelude = _module(file, source) if calls else ("", {}, "")
        for call in calls:
            entry, arguments = split_call(call, source, file=str(file), path=path, files=others)
            origin = f"files:{relative}"
            result.append(
                make_program(
                    source, entry, arguments, origin=origin, license=options.license, prelude=prelude
                )
            )
    if not result:
        raise UserError(
            f"no call to make: write a line '# deskcheck: f(3)' in {root}, or name calls: --call 'f(3)' or "
            "--call FILE.jsonl; for eval -T call='f(3)' or -T calls=FILE.jsonl"
        )
    yield from result


def _in_language(
    file: Path, language: str, calls: list[str], license: str, *, name: str
) -> Iterator[Program]:
    """Yield the programs of a file in JavaScript, TypeScript or C: its given calls, or those in comments."""
    source = source_of(file)
    for call in calls or _OTHER_COMMENT.findall(source):
        entry, arguments = parts_of(call)
        yield make_program(
            source, entry, arguments, origin=f"files:{name}", license=license, language=language
        )


def recorded(options: SourceOptions) -> SourceOptions:
    """Return the options to record, without the folder: files in another folder give the same dataset."""
    path = Path(options.path)
    return msgspec.structs.replace(options, path=path.name if path.is_file() else "", calls_file="")


def _module(file: Path, source: str) -> tuple[str, dict[str, str], str]:
    """Return a file's path, the other files that it imports, and the prelude of its calls, or ""."""
    main, root = _module_and_root(file)
    path = main.relative_to(root).as_posix()
    files = own_files(path, source, root=root, extra=[])
    files.pop(path)
    bundle = Bundle(path=path, name=_name_of(path), files=files)
    return path, files, prelude_of(bundle) if _needs_bundle(bundle, source) else ""


def _needs_bundle(bundle: Bundle, source: str) -> bool:
    """Whether a called module needs more than its source: other files, an input, rules, or its path."""
    return (
        bool(bundle.files or bundle.data or bundle.stdin or bundle.step_in or bundle.no_step_in)
        or "__file__" in source
    )


def read_source(file: Path) -> str:
    """Return the text of a source file. BadSource if it does not parse as Python."""
    try:
        source = decoded(file.read_bytes())
    except (UnicodeError, SyntaxError) as error:  # SyntaxError: the named encoding is unknown
        why = _OTHER_FILES.get(file.suffix) or (
            f"it is not UTF-8 text, and names no encoding that fits in its first lines: {error}"
        )
        raise BadSource(f"{file} is no Python program: {why}") from None
    if file.suffix in _OTHER_FILES:
        raise BadSource(f"{file} is no Python program: {_OTHER_FILES[file.suffix]}")
    hint = "" if file.suffix == ".py" else "; the text of a Python program is needed"
    return checked(source, str(file), hint)


def _files(root: Path) -> list[Path]:
    if root.is_file():
        return [root]
    if not root.is_dir():
        raise UserError(f"no such file or folder: {root}")
    files = sorted(path for ending in (".py", *LANGUAGES) for path in root.rglob(f"*{ending}"))
    files = [path for path in files if not _is_foreign(path.relative_to(root))]
    if not files:
        endings = ", ".join(f"*{ending}" for ending in (".py", *LANGUAGES))
        raise UserError(f"{root} holds no program: no file {endings}; name a folder that has one")
    return files


def _name_below(root: Path, file: Path) -> str:
    """Return a file's path below the named folder; the name of a file that was named itself."""
    return file.name if file == root else file.relative_to(root).as_posix()


def _is_foreign(path: Path) -> bool:
    """Whether a file is part of a package that npm installed, or only declares types."""
    return "node_modules" in path.parts or path.name.endswith((".d.ts", ".d.mts", ".d.cts"))


def _check_named(named: list[CallLine], files: list[Path], root: Path) -> None:
    """Raise UserError if a call names no file where there are several, or one that is not there."""
    known = {_name_below(root, file) for file in files}
    for line in named:
        if not line.file and len(files) > 1:
            raise UserError(
                f"call '{line.call}': {root} holds {len(files)} files; name one file, or a file "
                'of calls with lines {"call": .., "file": ..}'
            )
        if line.file and line.file not in known:
            raise UserError(
                f"call '{line.call}': there is no file '{line.file}' at {root}; "
                f"there is: {', '.join(sorted(known)[:20])}"
            )


def _read_calls(path: str) -> list[CallLine]:
    if not path:
        return []
    try:
        lines = Path(path).read_bytes().removeprefix(codecs.BOM_UTF8).splitlines()
    except OSError as error:
        raise UserError(f"the file of calls {path} cannot be read: {error.strerror}") from None
    call_lines: list[CallLine] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                call_lines.append(msgspec.json.decode(line, type=CallLine))
            except msgspec.DecodeError as error:
                raise UserError(f'{path}, line {number} is not {{"call": "f(3)"}}: {error}') from None
    if not call_lines:
        raise UserError(f'{path} holds no call; write lines such as {{"call": "f(3)"}}')
    return call_lines


MAX_FILES, MAX_CHARACTERS = 2_000, 8 << 20
"""Largest number of a program's own files, and of characters in them."""


def program_of(request: TraceRequest) -> Program:
    """Make the requested program. UserError or BadSource names the mistake in the request."""
    main, root = _main_and_root(request)
    source = _source_of(request, main)
    path = main.relative_to(root).as_posix()
    extra, data = _given_files(request.files, root)
    modules = list(extra)
    if request.is_module and main.parent == Path() and main.name.startswith(_RUNNER):
        extra += project_files(Path.cwd())
    files = own_files(path, source, root=root, extra=extra, is_script=not (request.call or request.is_module))
    # A given module is in the folder too if a text names its file, and so may read it.
    named = (at for at in modules if any(Path(at).name in text for text in (source, *files.values())))
    data |= {at: (root / at).read_bytes() for at in named}
    files.pop(path, None)
    if request.call:
        entry, arguments = split_call(request.call, source, file=str(main), path=path, files=files)
    else:
        entry, arguments = SCRIPT, ", ".join(map(repr, request.arguments))
    check_rules([*request.step_in, *request.no_step_in], {path: source} | files)
    bundle = Bundle(
        path=path,
        name=_name_of(path),
        files=files,
        data=data,
        stdin=request.stdin,
        step_in=request.step_in,
        no_step_in=request.no_step_in,
    )
    prelude = "" if request.call and not _needs_bundle(bundle, source) else prelude_of(bundle)
    return make_program(source, entry, arguments, origin=f"files:{main.as_posix()}", prelude=prelude)


# Installed modules are run by a program of two lines. Its name is this prefix and the name of the module.
_RUNNER = "run_"


def _source_of(request: TraceRequest, main: Path) -> str:
    if request.code:
        return checked(request.code, "-c")
    if request.is_module and not main.is_file():
        return f"import runpy\nrunpy.run_module({request.file!r}, run_name='__main__', alter_sys=True)\n"
    return read_source(main)


def project_files(root: Path) -> list[str]:
    """Return the paths of the first MAX_FILES Python files below a folder, relative to it.

    Left out are folders whose names begin with "." or "_", `node_modules`, and virtual environments.
    """
    paths: list[str] = []
    for folder, below, names in os.walk(root):
        here = Path(folder)
        below[:] = sorted(
            name
            for name in below
            if name[0] not in "._" and name != "node_modules" and not (here / name / "pyvenv.cfg").exists()
        )
        paths += [
            (here / name).relative_to(root).as_posix() for name in sorted(names) if name.endswith(".py")
        ]
    return paths[:MAX_FILES]


def _is_installed(name: str) -> bool:
    """Whether Python's import path has a module that `python -m` can run; nothing is imported."""
    places: list[str] | None = None
    spec = None
    for part in name.split("."):
        spec = PathFinder.find_spec(part if places is None else f"x.{part}", places)
        if spec is None:
            return False
        places = list(spec.submodule_search_locations or [])
    return not places or PathFinder.find_spec("x.__main__", places) is not None


def _name_of(path: str) -> str:
    """Return the module's name, as for an import; dots in a file's name ("v1.2.py") become underscores."""
    folder, slash, file = path.rpartition("/")
    return module_name(f"{folder}{slash}{Path(file).stem.replace('.', '_')}.py")


def own_files(
    path: str, source: str, *, root: Path, extra: list[str], is_script: bool = False
) -> dict[str, str]:
    """Return path below root -> text, for a file, `extra` files, and all files that their imports reach.

    The packages of a module are included, because an import of the module runs them; those of a script
    are not. UserError for more than MAX_FILES files or MAX_CHARACTERS characters.
    """
    files: dict[str, str] = {}
    size = 0
    waiting = [path, *extra]
    if not is_script:
        waiting += _files_of(_name_of(path), root)
    while waiting:
        at = waiting.pop()
        if at in files:
            continue
        files[at] = source if at == path else _text(root / at)
        size += len(files[at])
        if len(files) > MAX_FILES or size > MAX_CHARACTERS:
            raise UserError(
                f"the imports of {path} reach more than {MAX_FILES} files or {MAX_CHARACTERS >> 20} MB "
                f"below {root}; trace a smaller part of it, or in your own process with deskcheck.trace"
            )
        for name in imports_of(files[at], at):
            waiting += _files_of(name, root)
    return dict(sorted(files.items()))


def _main_and_root(request: TraceRequest) -> tuple[Path, Path]:
    if request.code:
        return Path("command.py"), Path()
    if request.is_module:
        root, name = Path.cwd(), request.file.replace(".", "/")
        places = [root / f"{name}.py", root / name / "__main__.py"]
        main = next((place for place in places if place.is_file()), None)
        if main is None and _is_installed(request.file):
            if request.is_trusted:
                return Path(f"{_RUNNER}{request.file.replace('.', '_')}.py"), Path()
            raise BadSource(
                f"'{request.file}' is an installed module; to run it with your files and network: "
                f"deskcheck trace --trust -m {request.file}"
            )
        if main is None:
            hint = " (a package needs a __main__.py)" if (root / name).is_dir() else ""
            from deskcheck.environments import elsewhere

            advice = elsewhere(request.file.partition(".")[0], root)
            raise BadSource(
                f"no module '{request.file}' in {root}{hint}, and none is installed for {sys.executable}"
                + (f"; {advice}" if advice else "")
            )
        return main.relative_to(root), Path()
    main = Path(request.file)
    return _module_and_root(main) if request.call else (main, main.parent)


def _module_and_root(main: Path) -> tuple[Path, Path]:
    """Return a module's file and the folder above its outermost package.

    A package without `__init__.py` is known by the module's own imports of it: `from ns.inner import other`.
    """
    root = main.parent
    while (root / "__init__.py").is_file() and root.resolve() != root.resolve().parent:
        root = root.parent if root != Path() else root.resolve().parent
    imported = imports_of(read_source(main), main.name) if main.is_file() else ()
    inside = {tuple(name.split(".")[:2]) for name in imported if "." in name}
    for folder in (root.resolve(), *root.resolve().parents):
        imports = [name for first, name in inside if first == folder.name]
        if any((folder / place).exists() for name in imports for place in (name, f"{name}.py")):
            if folder.name not in sys.stdlib_module_names and PathFinder.find_spec(folder.name) is None:
                root = folder.parent
            break
    return (main, root) if main.is_relative_to(root) else (main.resolve(), root)


def _given_files(names: list[str], root: Path) -> tuple[list[str], dict[str, bytes]]:
    """Return the files given with --file: modules, and data files with their bytes, by path below `root`.

    A file outside `root` is a data file under its own name.
    """
    modules: list[str] = []
    data: dict[str, bytes] = {}
    for name in names:
        path = Path(name)
        if not path.is_file():
            raise UserError(f"--file {name}: no such file")
        inside = path.resolve().is_relative_to(root.resolve())
        below = path.resolve().relative_to(root.resolve()).as_posix() if inside else path.name
        if path.suffix == ".py" and inside:
            modules.append(below)
        else:
            data[below] = path.read_bytes()
    return modules, data


def _text(file: Path) -> str:
    try:
        return decoded(file.read_bytes())
    except (OSError, UnicodeError, SyntaxError) as error:
        raise BadSource(f"{file}, which the program imports, cannot be read as text: {error}") from None


def _files_of(name: str, root: Path) -> Iterator[str]:
    """Yield the files of a module and of the packages above it that are below root."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        base = "/".join(parts[:end])
        if not all(part.isidentifier() for part in parts[:end]):
            return
        for place in (f"{base}/__init__.py", f"{base}.py"):
            if (root / place).is_file():
                yield place
                break
