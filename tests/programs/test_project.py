"""Which files belong to a program that the command line names, and how it is written down."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tracing.telling import checked

from deskcheck.errors import BadSource, UserError
from deskcheck.programs.files import program_of
from deskcheck.records import Returned
from deskcheck.tracing.collect import TraceRequest
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import Bundle, bundle_of, make_program, prelude_of


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = {
        "run.py": "import tool.deep\nimport json\nprint(tool.deep.f())\n",
        "alone.py": "def f(n):\n    return n\nasync def g(n):\n    return n\n"
        "class A:\n    async def h(self):\n        return 1\n",
        "tool/__init__.py": "",
        "tool/__main__.py": "from . import deep\nprint(deep.f())\n",
        "tool/deep.py": "from .near import X\nfrom . import far as other\ndef f():\n    return X\n",
        "tool/near.py": "X = 1\ndef lazy():\n    from tool.late import y\n",
        "tool/far.py": "import broken\n",
        "tool/late.py": "y = 2\n",
        "tool/unused.py": "z = 3\n",
        "broken.py": "def (:\n",
    }
    for path, text in made.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bundled(**request: object) -> Bundle:
    found = bundle_of(program_of(TraceRequest(**request)))  # type: ignore[arg-type]
    assert found is not None
    return found


def test_the_files_that_imports_reach_belong_to_the_program(project: Path) -> None:
    reached = {f"tool/{name}.py" for name in ("__init__", "deep", "near", "far", "late")} | {"broken.py"}
    assert set(bundled(file="run.py").files) == reached
    assert set(bundled(file="run.py", files=["tool/unused.py"]).files) == reached | {"tool/unused.py"}


def test_a_file_inside_a_package_is_known_by_its_full_name(project: Path) -> None:
    found = bundled(file="tool/deep.py", call="f()")
    assert (found.path, found.name) == ("tool/deep.py", "tool.deep")
    assert outcome_text(checked(program_of(TraceRequest("tool/near.py", call="lazy()")))) == "None"


def test_a_package_runs_as_python_m_does(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "tool" / "far.py").write_text("")
    program = program_of(TraceRequest("tool", is_module=True))
    assert isinstance(checked(program).outcome, Returned)
    assert capsys.readouterr().out == "1\n"


def test_one_file_without_more_is_the_program_it_always_was(project: Path) -> None:
    program = program_of(TraceRequest("alone.py", call="f(3)"))
    assert program.prelude == "" and program.call == "f(3)"


def test_data_files_and_modules_are_given_by_name(project: Path) -> None:
    (project / "words.txt").write_text("a b")
    assert bundled(file="alone.py", files=["words.txt"]).data == {"words.txt": b"a b"}
    with pytest.raises(UserError, match=r"nope.txt: no such file"):
        program_of(TraceRequest("alone.py", files=["nope.txt"]))


def test_a_given_module_can_also_be_read_where_the_program_names_its_file(project: Path) -> None:
    (project / "reads.py").write_text("with open('alone.py') as f: f.read()\n")
    found = bundled(file="reads.py", files=["alone.py"])
    assert found.data == {"alone.py": (project / "alone.py").read_bytes()} and set(found.files) == {
        "alone.py"
    }
    assert isinstance(checked(program_of(TraceRequest("reads.py", files=["alone.py"]))).outcome, Returned)
    assert bundled(file="run.py", files=["alone.py"]).data == {}


def test_what_cannot_be_found_is_said_with_what_there_is(project: Path) -> None:
    with pytest.raises(BadSource, match="no module 'nope'"):
        program_of(TraceRequest("nope", is_module=True))
    (project / "tool" / "__main__.py").unlink()
    with pytest.raises(BadSource, match=r"needs a __main__.py"):
        program_of(TraceRequest("tool", is_module=True))
    with pytest.raises(
        UserError, match=r"'g2' is no function, class or module here; known: A, A.h, alone, f, g"
    ):
        program_of(TraceRequest("alone.py", call="f(3)", no_step_in=["g2"]))


@settings(max_examples=30)
@given(
    st.builds(
        Bundle,
        path=st.text(),
        name=st.text(),
        files=st.dictionaries(st.text(), st.text()),
        data=st.dictionaries(st.text(), st.binary()),
        stdin=st.text(),
        step_in=st.lists(st.text()),
    )
)
def test_a_bundle_is_read_back_as_it_was_written(bundle: Bundle) -> None:
    program = make_program("", "f", "", origin="test", prelude=prelude_of(bundle))
    assert bundle_of(program) == bundle


def test_what_is_not_a_bundle_of_ours_is_refused() -> None:
    for prelude in ("__deskcheck__ = {'a': ", "__deskcheck__ = f()\n", "__deskcheck__ = {'path': 1}\n"):
        with pytest.raises(BadSource, match="bundle"):
            bundle_of(make_program("", "f", "", origin="test", prelude=prelude))
    assert bundle_of(make_program("", "f", "", origin="test", prelude="import math\n")) is None


def test_an_async_function_named_in_a_call_is_run(project: Path) -> None:
    for call, answer in (("g(3)", "3"), ("A().h()", "1")):
        assert outcome_text(checked(program_of(TraceRequest("alone.py", call=call)))) == answer
