"""Make a program of several files runnable in this process: its modules, its command line, its input.

    with prepared(program, bundle) as ready:
        ready.load()          import the module whose function is called, as `import p.a` does
        ready.script()        for a script: a function that runs it as `__main__`
        ready.namespace       namespace of the program's module
        ready.scope           which code is stepped into
        ready.codes           code of all its files, to be scanned before the run

A bundle (`program.Bundle`) holds the program's other files. One loader imports all modules from the bundle,
not from disk: the sandbox's child cannot see the user's folders, and the same program runs anywhere. Modules,
finders, argv and stdin are restored afterwards.
Not covered: files that the program finds by itself (`open`, `pkgutil.get_data`), unless the bundle names them
as data, and entry points and installed metadata of the program's own packages.
"""

from __future__ import annotations

import builtins
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import TYPE_CHECKING

from deskcheck.records import Program
from deskcheck.sandbox import guard
from deskcheck.sandbox.compiling import steady_code
from deskcheck.tracing.access import C_CALL, at_depth, unseen
from deskcheck.tracing.program import SCRIPT, Bundle, Scope, arguments_of, is_script, module_name

if TYPE_CHECKING:
    from importlib.abc import InspectLoader as _Loader
else:
    _Loader = object

_import = builtins.__import__
_IMPORT_DEPTH = 1 - C_CALL  # the import stands in a module, whose frame is the first


class Prepared:
    """A program that is ready to run; see the module's docstring."""

    def __init__(self, program: Program, bundle: Bundle, files: _Files) -> None:
        self.body = steady_code(program.source, bundle.path)
        self.namespace: dict[str, object] = {}
        self.codes = [self.body, *_compiled(bundle.files)]
        paths = {path: path for path in bundle.files} | {bundle.path: ""}
        self.scope = Scope(paths.get, main=bundle.path, step_in=bundle.step_in, no_step_in=bundle.no_step_in)
        self._name = bundle.name
        self._files = files

    def load(self) -> None:
        """Import the program's module as `import p.a` does, which imports its packages first."""
        guard.call(at_depth, _IMPORT_DEPTH, _import, self._name)
        # What the name leads to may be another object by now: a module can replace itself.
        self.namespace = self._files.namespaces[self._name]

    def script(self) -> Callable[[], object]:
        """Return a call that runs the source as a script and waits for its threads."""
        package = self._name.rpartition(".")[0]

        def run() -> object:
            if package:
                unseen(_import, package)
            unseen(exec, self.body, self.namespace)
            unseen(_join_threads)
            return None

        return run


@contextmanager
def prepared(program: Program, bundle: Bundle, folder: str = "") -> Iterator[Prepared]:
    """Yield the program, ready to run; SyntaxError or ValueError if its source does not compile.

    `folder`: the program's folder on disk, for `__file__`; with "", `__file__` is relative to that folder.
    """
    files = _Files(program, bundle, folder)
    ready = Prepared(program, bundle, files)
    names = {*files.names, *([SCRIPT] if is_script(program) else [])}
    hidden = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    argv, stdin, path = sys.argv, sys.stdin, list(sys.path)
    sys.meta_path.insert(0, files)
    if is_script(program):
        module = sys.modules[SCRIPT] = files.script_module()
        ready.namespace = module.__dict__
        sys.argv = [bundle.path, *arguments_of(program)]
    if bundle.stdin and not _is_stdin_open():
        sys.stdin = io.TextIOWrapper(io.BytesIO(bundle.stdin.encode()), encoding="utf-8")
    try:
        yield ready
    finally:
        sys.argv, sys.stdin, sys.path[:] = argv, stdin, path
        if files in sys.meta_path:
            sys.meta_path.remove(files)
        for name in names:
            guard.keep(sys.modules.pop(name, None))
        sys.modules.update(hidden)


def _is_stdin_open() -> bool:
    """Whether descriptor 0 gives the program its input: in a child of the sandbox that was given a file."""
    return guard.call is not guard.plainly and stat.S_ISREG(os.fstat(0).st_mode)


class _Files(_Loader):
    """Finder and loader of a bundle's modules; it also gives tracebacks their source.

    It has no base of `importlib.abc` when it runs, because that module loads thirty others.
    """

    exec_module = SourceFileLoader.exec_module

    def __init__(self, program: Program, bundle: Bundle, folder: str) -> None:
        self._sources = {module_name(path): (path, source) for path, source in bundle.files.items()}
        self._main = (bundle.path, program.source)
        self._main_name = bundle.name
        self._folder = folder
        self._sources[bundle.name] = self._main  # for a script too: a file that imports it gets a second copy
        parents = {name.rpartition(".")[0] for name in self._sources if "." in name}
        self._folders = {p for name in parents for p in _and_parents(name) if p not in self._sources}
        self.names = {*self._sources, *self._folders}
        self.namespaces: dict[str, dict[str, object]] = {}
        """Name of a module -> the namespace in which its file ran last."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname in self._folders:  # a package without a file of its own
            spec = ModuleSpec(fullname, None, is_package=True)
            spec.submodule_search_locations = [self._on_disk(fullname.replace(".", "/"))]
            return spec
        if fullname not in self._sources:
            return None
        file = self._on_disk(self._sources[fullname][0])
        spec = ModuleSpec(fullname, self, origin=file, is_package=self.is_package(fullname))
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(file.rpartition("/")[0])
        spec.has_location = True
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = ModuleType(spec.name)
        # In the sandbox this is the program's copy of builtins, so its changes do not reach our code.
        module.__dict__["__builtins__"] = sys.modules["builtins"].__dict__
        self.namespaces[spec.name] = module.__dict__
        return module

    def script_module(self) -> ModuleType:
        """Return the module `__main__`, as `python` and `python -m` make it, but empty."""
        module = self.create_module(ModuleSpec(SCRIPT, self))
        module.__dict__["__builtins__"] = sys.modules["builtins"]  # of `__main__` alone the module itself
        if sys.version_info < (3, 14):
            module.__annotations__ = {}
        module.__file__ = self._on_disk(self._main[0])
        module.__dict__["__cached__"] = None
        module.__loader__ = self
        module.__package__ = self._main_name.rpartition(".")[0] or None
        if module.__package__:
            module.__spec__ = self.find_spec(self._main_name)
        return module

    def is_package(self, fullname: str) -> bool:
        return self._sources[fullname][0].endswith("__init__.py")

    def get_source(self, fullname: str) -> str:
        return (self._main if fullname == SCRIPT else self._sources[fullname])[1]

    def get_code(self, fullname: str) -> CodeType:
        path, source = self._sources[fullname]
        return steady_code(source, path)

    def _on_disk(self, path: str) -> str:
        return f"{self._folder}/{path}" if self._folder else path


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
