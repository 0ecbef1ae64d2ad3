"""Make a program of several files runnable in this process: its modules, its command line, its input.

    with prepared(program, bundle) as ready:
        ready.body            code of the program's source, compiled under its own path
        ready.namespace       of its module, `__main__` for a script; empty so far
        ready.scope           which code is stepped into
        ready.codes           code of all its files, to be scanned before the run

The other files are imported from the bundle, not from disk: the sandbox's child cannot see the user's
folders, and the same program runs anywhere. Modules, finders, argv and stdin are restored afterwards.
Not covered: files that the program finds by itself (`open`, `pkgutil.get_data`) unless the bundle names them
as data; entry points and installed metadata of the program's own packages.
"""

from __future__ import annotations

import importlib
import importlib.util
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType

from deskcheck.records import Program
from deskcheck.sandbox.compiling import steady_code
from deskcheck.tracing.program import SCRIPT, Bundle, Scope, arguments_of, is_script, module_name


class Prepared:
    """A program that is ready to run; see the module's docstring."""

    def __init__(self, program: Program, bundle: Bundle, module: ModuleType) -> None:
        self.body = steady_code(program.source, bundle.path)
        self.namespace: dict[str, object] = module.__dict__
        self.codes = [self.body, *_compiled(bundle.files)]
        files = {path: path for path in bundle.files} | {bundle.path: ""}
        self.scope = Scope(files.get, main=bundle.path, step_in=bundle.step_in, no_step_in=bundle.no_step_in)
        self._package = bundle.name.rpartition(".")[0]

    def import_package(self) -> None:
        """Import the package of the program's source, as `python -m` and `import` do first."""
        if self._package:
            importlib.import_module(self._package)

    def script(self) -> Callable[[], object]:
        """Return a call that runs the source as a script and waits for its threads."""

        def run() -> object:
            self.import_package()
            exec(self.body, self.namespace)
            _join_threads()
            return None

        return run


@contextmanager
def prepared(program: Program, bundle: Bundle) -> Iterator[Prepared]:
    """Yield the program, ready to run; SyntaxError or ValueError if its source does not compile."""
    files = _Files(program, bundle)
    script = is_script(program)
    module = ModuleType(SCRIPT if script else bundle.name)
    module.__dict__["__builtins__"] = sys.modules["builtins"].__dict__  # as in execution._module
    module.__file__ = bundle.path
    module.__loader__ = files
    module.__package__ = bundle.name.rpartition(".")[0] or ("" if not script else None)
    if not script:
        module.__spec__ = files.find_spec(bundle.name)
    ready = Prepared(program, bundle, module)
    names = {*files.names, *(["__main__"] if script else [])}
    hidden = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    argv, stdin, path = sys.argv, sys.stdin, list(sys.path)
    sys.modules[module.__name__] = module
    sys.meta_path.insert(0, files)
    if script:
        sys.argv = [bundle.path, *arguments_of(program)]
    if bundle.stdin:
        sys.stdin = io.TextIOWrapper(io.BytesIO(bundle.stdin.encode()), encoding="utf-8")
    try:
        yield ready
    finally:
        sys.argv, sys.stdin, sys.path[:] = argv, stdin, path
        if files in sys.meta_path:
            sys.meta_path.remove(files)
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update(hidden)


class _Files(MetaPathFinder, InspectLoader):
    """Finder and loader of a bundle's modules; it also gives tracebacks their source."""

    def __init__(self, program: Program, bundle: Bundle) -> None:
        self._sources = {module_name(path): (path, source) for path, source in bundle.files.items()}
        self._main = (bundle.path, program.source)
        if not is_script(program):
            self._sources[bundle.name] = self._main
        parents = {name.rpartition(".")[0] for name in self._sources if "." in name}
        self._folders = {p for name in parents for p in _and_parents(name) if p not in self._sources}
        self.names = {*self._sources, *self._folders}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname in self._folders:  # a package without a file of its own
            spec = ModuleSpec(fullname, None, is_package=True)
            spec.submodule_search_locations = [fullname.replace(".", "/")]
            return spec
        if fullname not in self._sources:
            return None
        file = self._sources[fullname][0]
        spec = ModuleSpec(fullname, self, origin=file, is_package=file.endswith("__init__.py"))
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(file.rpartition("/")[0])
        spec.has_location = True
        return spec

    def is_package(self, fullname: str) -> bool:
        return self._sources[fullname][0].endswith("__init__.py")

    def get_source(self, fullname: str) -> str:
        return (self._main if fullname == SCRIPT else self._sources[fullname])[1]

    def get_code(self, fullname: str) -> CodeType:
        path, source = self._sources[fullname]
        return steady_code(source, path)


def _and_parents(name: str) -> Iterator[str]:
    while name:
        yield name
        name = name.rpartition(".")[0]


def _compiled(files: dict[str, str]) -> Iterator[CodeType]:
    """Yield the code of the files that compile; the others raise their error on import."""
    for path, source in files.items():
        try:
            yield steady_code(source, path)
        except (SyntaxError, ValueError):
            continue


def _join_threads() -> None:
    """Wait for threads as the interpreter does before it exits."""
    threading = sys.modules.get("threading")
    if threading is None:
        return
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
