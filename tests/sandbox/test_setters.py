"""Each hook of setters.c notes what only that hook can note: without it, the next program sees the change."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import types
from pathlib import Path

import pytest

import deskcheck
from deskcheck.records import Job, JobDone, Limits
from deskcheck.sandbox.supervisor import run_jobs
from deskcheck.sandbox.worker import can_batch

pytestmark = pytest.mark.skipif(not can_batch(), reason="batches need Linux and the C extension")


def given(name: str, value: str) -> str:
    """Return a statement that sets an attribute of a function past the slot of its type."""
    return f"type(heapq.merge).__dict__['{name}'].__set__(heapq.merge, {value})"


# The line of setters.c that goes, what a program does then, and what the next one reads.
HOOKS = {
    '{&PyFunction_Type, "__code__"': (given("__code__", "heapq.nlargest.__code__"), "heapq.merge.__code__"),
    '{&PyFunction_Type, "__defaults__"': (given("__defaults__", "(1,)"), "heapq.merge.__defaults__"),
    '{&PyFunction_Type, "__kwdefaults__"': (given("__kwdefaults__", "{}"), "heapq.merge.__kwdefaults__"),
    '{&PyFunction_Type, "__name__"': (given("__name__", "'m'"), "heapq.merge.__name__"),
    '{&PyFunction_Type, "__qualname__"': (given("__qualname__", "'m'"), "heapq.merge.__qualname__"),
    '{&PyFunction_Type, "__type_params__"': (
        given("__type_params__", "(1,)"),
        "heapq.merge.__type_params__",
    ),
    '{&PyFunction_Type, "__annotations__"': (
        "heapq.merge.__annotations__['a'] = 1",
        "heapq.merge.__annotations__",
    ),
    '{&PyFunction_Type, "__dict__"': ("heapq.merge.__dict__['a'] = 1", "heapq.merge.__dict__"),
    '{&PyType_Type, "__name__"': ("fractions.Fraction.__name__ = 'F'", "fractions.Fraction.__name__"),
    '{&PyType_Type, "__qualname__"': (
        "fractions.Fraction.__qualname__ = 'F'",
        "fractions.Fraction.__qualname__",
    ),
    '{&PyType_Type, "__bases__"': (
        "statistics.StatisticsError.__bases__ = (TypeError,)",
        "statistics.StatisticsError.__bases__",
    ),
    '{&PyBaseObject_Type, "__class__"': (
        "calendar.day_name.__class__ = calendar._localized_month",
        "type(calendar.day_name)",
    ),
    "note_in_table(&noted_dicts[i]": ("calendar.day_name.__dict__ = {}", "vars(calendar.day_name)"),
    "PyMemberDescr_Type.tp_descr_set = note": (
        "heapq.heappush.__module__ = 'm'",
        "heapq.heappush.__module__",
    ),
    "wrapper->d_wrapped = (void *)note": (given("__doc__", "'m'"), "heapq.merge.__doc__"),
    "PyFunction_Type.tp_setattro = note": ("heapq.merge.a = 1", "hasattr(heapq.merge, 'a')"),
}
"""Without the wrappers of `object.__setattr__` and `__delattr__` a program that uses them fails."""
HEAD = "import calendar, copy, fractions, heapq, statistics\n"
RUN = """
import sys
from tests.sandbox.test_setters import seen
print(seen(sys.argv[1], sys.argv[2]))
"""


def seen(write: str, read: str) -> bool:
    """Whether a program reads something else behind one that writes than it reads alone."""
    texts = [f"{HEAD}out = {read}", f"{HEAD}{write}", f"{HEAD}out = {read}"]
    function = "tests.sandbox.setter_jobs:act"
    jobs = [Job(str(i), function, text.encode(), Limits()) for i, text in enumerate(texts)]
    before, writer, after = (result.result for result in run_jobs(jobs, workers=1, batch=64))
    assert isinstance(writer, JobDone)
    assert writer.payload == b"None", writer.payload
    return before != after


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, whose extension can be another one."""
    folder = tmp_path_factory.mktemp("tree")
    ignored = shutil.ignore_patterns("__pycache__", "models", "benchmarks", "corpus", "viewer", "browser")
    shutil.copytree(Path(deskcheck.__file__).parent, folder / "deskcheck", ignore=ignored)
    return folder


@pytest.mark.parametrize("line", HOOKS)
def test_what_only_a_setter_changes_is_hidden_from_the_next_program(line: str) -> None:
    if "__type_params__" in line and not hasattr(types.FunctionType, "__type_params__"):
        pytest.skip("functions have none before 3.12")
    assert not seen(*HOOKS[line])


@pytest.mark.slow
@pytest.mark.parametrize("line", HOOKS)
def test_without_its_hook_the_next_program_sees_it(line: str, tree: Path) -> None:
    if "__type_params__" in line and not hasattr(types.FunctionType, "__type_params__"):
        pytest.skip("functions have none before 3.12")
    sandbox = tree / "deskcheck" / "sandbox"
    text = (Path(deskcheck.__file__).parent / "sandbox" / "setters.c").read_text()
    assert text.count(line) == 1
    start = text.index(line)
    end = text.index("},", start) + 2 if line.startswith("{") else text.index(";", start) + 1
    (sandbox / "setters.c").write_text(text[:start] + text[end:])
    sources = [sandbox / f"{name}.c" for name in
               ("batch", "contents", "guard", "memory", "setters", "state", "watch")]  # fmt: skip
    place = sandbox / f"_batch{sysconfig.get_config_var('EXT_SUFFIX')}"
    place.unlink()
    include = f"-I{sysconfig.get_paths()['include']}"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-w", include, *sources, "-o", place], check=True)
    path = os.pathsep.join([str(tree), str(Path(__file__).parents[2])])
    done = subprocess.run(
        [sys.executable, "-c", RUN, *HOOKS[line]], env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.split() == ["True"], done.stdout + done.stderr
