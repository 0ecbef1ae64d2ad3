"""One run as `deskcheck trace` names it, as a Program: a call, a script or a module, with what it imports.

    program_of(TraceRequest("tool.py", call="f(3)"))                 and the files of its own that it imports
    program_of(TraceRequest("tool.py", arguments=["a", "-v"]))       the file as a script
    program_of(TraceRequest("pkg.tool", is_module=True))             as `python -m pkg.tool`, from this folder

The program's own files are those that its imports reach, read but not run, in the folder of a script, in the
folder above the outermost package of a file that is called, in the current folder for -m. Everything else
is a library. Not found: imports whose names are made at run time; `--file` adds those, and data files.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from deskcheck.errors import BadSource, UserError
from deskcheck.programs.files import read_source, split_call
from deskcheck.records import Program
from deskcheck.tracing.bundle import SCRIPT, Bundle, prelude_of
from deskcheck.tracing.program import make_program
from deskcheck.tracing.request import TraceRequest
from deskcheck.tracing.scope import check_rules, module_name

MAX_FILES, MAX_BYTES = 2_000, 8 << 20


def program_of(request: TraceRequest) -> Program:
    """The program. UserError or BadSource says what is wrong with the request."""
    main, root = _main_and_root(request)
    source = request.code or read_source(main)
    if request.call:
        entry, arguments = split_call(request.call, source, file=str(main))
    else:
        entry, arguments = SCRIPT, ", ".join(map(repr, request.arguments))
    path = main.relative_to(root).as_posix()
    extra, data = _given_files(request.files, root)
    files = own_files(path, source, root=root, extra=extra)
    files.pop(path, None)
    check_rules([*request.step_in, *request.no_step_in], {path: source} | files)
    bundle = Bundle(
        path=path,
        name=module_name(path),
        files=files,
        data=data,
        stdin=request.stdin,
        step_in=request.step_in,
        no_step_in=request.no_step_in,
    )
    is_plain = request.call and not (files or data or request.stdin or request.step_in or request.no_step_in)
    prelude = "" if is_plain else prelude_of(bundle)
    return make_program(source, entry, arguments, origin=f"files:{main.as_posix()}", prelude=prelude)


def own_files(path: str, source: str, *, root: Path, extra: list[str]) -> dict[str, str]:
    """Path below root -> text of all files that the imports of one reach, and of `extra` and theirs."""
    found: dict[str, str] = {}
    size = 0
    waiting = [path, *extra]
    while waiting:
        at = waiting.pop()
        if at in found:
            continue
        found[at] = source if at == path else _text(root / at)
        size += len(found[at])
        if len(found) > MAX_FILES or size > MAX_BYTES:
            raise UserError(
                f"the imports of {path} reach more than {MAX_FILES} files or {MAX_BYTES >> 20} MB "
                f"below {root}; trace a smaller part of it, or in your own process with deskcheck.trace"
            )
        for name in _imports(found[at], at):
            waiting += _files_of(name, root)
    return dict(sorted(found.items()))


def _main_and_root(request: TraceRequest) -> tuple[Path, Path]:
    if request.code:
        return Path("command.py"), Path()
    if request.is_module:
        root, name = Path.cwd(), request.file.replace(".", "/")
        places = [root / f"{name}.py", root / name / "__main__.py"]
        main = next((place for place in places if place.is_file()), None)
        if main is None:
            hint = " (a package needs a __main__.py)" if (root / name).is_dir() else ""
            raise BadSource(
                f"no module '{request.file}' in {root}{hint}; -m runs your own modules from their folder"
            )
        return main.relative_to(root), Path()
    main = Path(request.file)
    root = main.parent
    while request.call and (root / "__init__.py").is_file() and root.resolve() != root.resolve().parent:
        root = root.parent if root != Path() else root.resolve().parent
    return (main, root) if main.is_relative_to(root) else (main.resolve(), root)


def _given_files(names: list[str], root: Path) -> tuple[list[str], dict[str, bytes]]:
    """Modules that imports do not show, and data; both by their path below the program's folder."""
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
        return file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadSource(f"{file}, which the program imports, cannot be read as UTF-8 text: {error}") from None


def _imports(source: str, path: str) -> Iterator[str]:
    """Dotted names that a file imports, relative ones resolved; all that may be modules."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # the program meets it when it imports the file
        return
    package = module_name(path) if path.endswith("__init__.py") else module_name(path).rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])]).strip(".")
            yield base
            yield from (f"{base}.{alias.name}".strip(".") for alias in node.names)


def _files_of(name: str, root: Path) -> Iterator[str]:
    """Files of a module and of the packages above it, where they lie below root."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        base = "/".join(parts[:end])
        if not all(part.isidentifier() for part in parts[:end]):
            return
        for place in (f"{base}/__init__.py", f"{base}.py"):
            if (root / place).is_file():
                yield place
                break
