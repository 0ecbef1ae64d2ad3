"""Modules of packages are called as plain Python imports them, whatever the package's files import."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskcheck.dataset.build import build
from deskcheck.dataset.folder import read_dropped
from deskcheck.plugins import SourceOptions
from deskcheck.programs.files import program_of, programs
from deskcheck.records import Limits, Raised, Trace
from deskcheck.tracing.access import has_native
from deskcheck.tracing.collect import TraceRequest, run_request, trace_programs
from deskcheck.tracing.execution import NO_STEP, NOT_LOADED
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

# What a package's __init__ does with its module `a` ({p} = full name of the package).
_PACKAGE_FORMS = [
    "",
    "from .a import f\n",
    "from . import a\nX = a.f(1)\n",
    "from {p}.a import f as g\n",
    "import {p}.a\nX = {p}.a.f(2)\n",
    "from .a import *\nX = f(1)\n",
    "K = 5\nfrom .a import f\n",
    "from .a import f\nK = 6\n",
    "from .b import g\nfrom .a import f, Thing\nX = Thing(2).twice()\n",
    "def __getattr__(name):\n    from .a import f\n    return {{'late': f, 'K': 7}}[name]\n",
    "import sys\nfrom .a import f\ndel sys.modules['{p}.a']\n",
    "raise LookupError('no package')\n",
]
# How module `a` gets at its sibling `b`, and an expression that uses it.
_MODULE_FORMS = [
    ("", "x"),
    ("from .b import g\n", "g(x)"),
    ("from . import b\n", "b.g(x)"),
    ("import {p}.b\n", "{p}.b.g(x)"),
    ("import {p}.b as other\n", "other.g(x)"),
    ("from {p} import b\n", "b.g(x)"),
    ("from . import K\n", "x + K"),
    ("import {p} as package\n", "x + package.K"),
    ("from .b import Base\nclass Mine(Base):\n    pass\n", "Mine(x).twice()"),
    ("", "__import__('{p}.b', fromlist=['g']).g(x)"),
    ("from .inner.c import h\n", "h(x)"),
    (
        "import importlib\nPLUGINS = ['{p}.b.g']\n",
        "importlib.import_module(PLUGINS[0].rpartition('.')[0]).g(x)",
    ),
    ("", "(__name__, __package__, __spec__.name, x)"),
    ("import os\nHERE = os.path.basename(os.path.dirname(__file__))\n", "HERE, x"),
    ("from pathlib import Path\n", "Path(__file__).stem, x"),
]
_CLASS = "    def __init__(self, x):\n        self.x = x\n    def twice(self):\n        return self.x * 2\n"
_A, _B = f"class Thing:\n{_CLASS}", f"class Base:\n{_CLASS}"
_SEEN = "SEEN = []\ndef g(x):\n    SEEN.append(x)\n    return x * 2 + len(SEEN)\n"


def _layouts(n: int) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield (dotted name of the package, path -> text) for `n` layouts drawn by seed; 0 = all of them."""
    drawn = random.Random(45)
    every = [
        (depth, package, module) for depth in (1, 2) for package in _PACKAGE_FORMS for module in _MODULE_FORMS
    ]
    for number, (depth, package, (head, value)) in enumerate(drawn.sample(every, n or len(every))):
        name = ".".join([f"p{number}", "deep"][:depth])
        base = name.replace(".", "/")
        files = {f"p{number}/__init__.py": ""} if depth == 2 else {}
        files |= {
            f"{base}/__init__.py": package.format(p=name),
            f"{base}/a.py": f"{head}{_A}def f(x):\n    return {value}\n".format(p=name),
            f"{base}/b.py": _SEEN + _B,
            f"{base}/inner/__init__.py": "from ..b import g\n",
            f"{base}/inner/c.py": "from . import g\nfrom .. import b\ndef h(x):\n    return g(x) + b.g(x)\n",
        }
        yield name, files


def _write(files: dict[str, str], folder: Path) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def _plain(name: str, folder: Path) -> str:
    """Return the result that plain Python prints, or the type of its exception."""
    code = (
        f"try:\n    import {name}.a as a, sys\n    print(repr(sys.modules.get('{name}.a', a).f(3)))\n"
        "except Exception as error:\n    print('raises', type(error).__name__)\n"
    )
    command = [sys.executable, "-S", "-B", "-c", code]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


def _ending(trace: Trace) -> str:
    outcome = trace.outcome
    if isinstance(outcome, Raised):
        is_before = not trace.n_steps
        assert (NOT_LOADED in trace.fidelity.notes) == is_before
        return f"raises {outcome.type}"
    return outcome_text(trace)


def _differing(n: int, folder: Path) -> tuple[int, list[str]]:
    """Return the number of layouts, and those whose call ends in another way than in plain Python."""
    layouts = list(_layouts(n))
    for _, files in layouts:
        _write(files, folder)
    calls = folder / "calls.jsonl"
    names = [name for name, _ in layouts]
    calls.write_text(
        "".join(json.dumps({"call": "f(3)", "file": f"{one.replace('.', '/')}/a.py"}) + "\n" for one in names)
    )
    made = {
        program.origin: program
        for program in programs(SourceOptions(source="files", path=str(folder), calls_file=str(calls)))
    }
    in_order = [made[f"files:{name.replace('.', '/')}/a.py"] for name in names]
    wrong = []
    for name, (program, boxed) in zip(names, trace_programs(in_order, Limits()), strict=True):
        truth = _plain(name, folder)
        here = trace_program(program, Limits())
        reference = trace_program(program, Limits(), tracer="reference")
        if {_ending(boxed), _ending(here), _ending(reference)} != {truth}:
            text = (folder / name.replace(".", "/") / "__init__.py").read_text()
            wrong.append(f"{name} {truth}: {_ending(boxed)}, {_ending(here)}: {text!r} {program.source!r}")
    return len(in_order), wrong


def test_a_call_ends_as_after_a_plain_import_in_drawn_layouts(tmp_path: Path) -> None:
    assert _differing(40, tmp_path) == (40, [])


@pytest.mark.slow
def test_a_call_ends_as_after_a_plain_import_in_every_layout(tmp_path: Path) -> None:
    n_forms = 2 * len(_PACKAGE_FORMS) * len(_MODULE_FORMS)
    assert _differing(0, tmp_path) == (n_forms, [])


REEXPORT = {
    "p/__init__.py": "from .a import f\n",
    "p/a.py": "from .b import g\ndef f(x):\n    return g(x) + 1\n"
    "if __name__ == '__main__':\n    print(f(3))\n",
    "p/b.py": "def g(x):\n    return x * 2\n",
}


def _recorded(request: TraceRequest) -> Trace:
    return run_request(request, program_of=program_of).in_memory()


def test_a_trusted_call_and_a_module_find_their_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write(REEXPORT, tmp_path)
    monkeypatch.chdir(tmp_path)
    for file in ("p/a.py", str(tmp_path / "p/a.py")):
        trusted = _recorded(TraceRequest(file, call="f(3)", is_trusted=True))
        assert (outcome_text(trusted), trusted.n_steps) == ("7", 2)
    monkeypatch.chdir(tmp_path / "p")
    assert outcome_text(_recorded(TraceRequest("a.py", call="f(3)", is_trusted=True))) == "7"
    assert outcome_text(_recorded(TraceRequest("a.py", call="f(3)"))) == "7"
    monkeypatch.chdir(tmp_path)
    plain = subprocess.run([sys.executable, "-m", "p.a"], capture_output=True, text=True, check=True).stdout
    found = run_request(TraceRequest("p.a", is_module=True), program_of=program_of)
    assert found.output.decode() == plain == "7\n"


@pytest.mark.parametrize("is_trusted", [False, True])
def test_a_package_without_an_init_file_is_known_by_the_imports_of_its_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_trusted: bool
) -> None:
    files = {
        "ns/inner/m.py": "from ns.inner import other\ndef f(x):\n    return other.g(x)\n",
        "ns/inner/other.py": "def g(x):\n    return x * 2\n",
    }
    _write(files, tmp_path)
    for folder, file in ((tmp_path, "ns/inner/m.py"), (tmp_path / "ns/inner", "m.py")):
        monkeypatch.chdir(folder)
        trace = _recorded(TraceRequest(file, call="f(3)", is_trusted=is_trusted))
        assert (outcome_text(trace), trace.n_steps) == ("6", 2)


def test_a_trusted_file_knows_its_real_path(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("HERE = __file__\ndef f():\n    return HERE, __file__\n")
    trusted = _recorded(TraceRequest(str(tmp_path / "a.py"), call="f()", is_trusted=True))
    assert outcome_text(trusted) == repr((str(tmp_path / "a.py"),) * 2)


def test_a_program_in_the_sandbox_reads_its_own_file(tmp_path: Path) -> None:
    source = "from pathlib import Path\ndef g(x):\n    return x + 1\ndef f():\n    names = {}\n"
    source += (
        "    exec(compile(Path(__file__).read_text(), __file__, 'exec'), names)\n    return names['g'](2)\n"
    )
    (tmp_path / "a.py").write_text(source)
    trace = _recorded(TraceRequest(str(tmp_path / "a.py"), call="f()"))
    assert outcome_text(trace) == "3"


def test_a_run_without_its_call_is_no_row_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_text("import nothing_here\n# deskcheck: f(1)\ndef f(x):\n    return x\n")
    (tmp_path / "src/b.py").write_text("# deskcheck: g()\n# deskcheck: g(1 / 0)\n# deskcheck: g(2)\n")
    with open(tmp_path / "src/b.py", "a") as file:
        file.write("def g(x):\n    return 1 / (x - 2)\n")
    out = tmp_path / "out"
    summary = build(SourceOptions(source="files", path=str(tmp_path / "src")), out, workers=1)
    assert summary.dropped == {"call-not-made": 2, "module-not-loaded": 1} and summary.n_kept == 1
    texts = [one.text for one in read_dropped(out)]
    assert [one.call for one in read_dropped(out)] == ["f(1)", "g()", "g(1 / 0)"]
    assert texts[0] == "ModuleNotFoundError: No module named 'nothing_here' (line 1)"
    assert texts[1].startswith("TypeError: g() missing") and texts[2].startswith("ZeroDivisionError")


def test_a_call_that_only_makes_a_generator_says_so_and_is_no_row(tmp_path: Path) -> None:
    source = (
        "def g(n):\n    for i in range(n):\n        yield i * 7 + n\ndef f(n):\n    return list(g(n + 1))\n"
    )
    (tmp_path / "a.py").write_text(source)
    for tracer in ("native", "reference") if has_native() else ("reference",):
        notes = [
            trace_program(make_program(source, entry, "3", origin=""), Limits(), tracer=tracer).fidelity.notes
            for entry in ("g", "f")
        ]
        assert NO_STEP in notes[0] and NO_STEP not in notes[1]
    options = SourceOptions(source="files", path=str(tmp_path / "a.py"), calls=["g(3)", "f(3)"])
    summary = build(options, tmp_path / "out", workers=1, decontaminate=False)
    assert summary.dropped == {"generator-not-run": 1} and summary.n_kept == 1
    assert [(one.call, one.text) for one in read_dropped(tmp_path / "out")] == [("g(3)", NO_STEP)]


def test_a_script_warns_of_its_syntax_once_and_under_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write({"w.py": "x = 5\nprint(x is 5)\n"}, tmp_path)
    monkeypatch.chdir(tmp_path)
    found = run_request(TraceRequest("w.py"), program_of=program_of)
    assert re.findall(r".*: SyntaxWarning", found.output.decode()) == ["w.py:2: SyntaxWarning"]
