"""Functions of any code as programs: the same from a folder, an archive, a commit and rows."""

from __future__ import annotations

import io
import json
import re
import subprocess
import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from deskcheck.cli import main
from deskcheck.corpus.calls import written_calls
from deskcheck.corpus.library import Package
from deskcheck.corpus.texts import MOST_BYTES, Text, _of_package, texts_of
from deskcheck.dataset.build import DEFECT, build
from deskcheck.dataset.folder import read_quarantine
from deskcheck.errors import DataError, Unobtainable, UserError
from deskcheck.format.buffers import Packed, packed_of
from deskcheck.format.shards import check_shard, read_manifest, read_packed
from deskcheck.plugins import SourceOptions
from deskcheck.programs.functions import LIMITS, PER_FUNCTION, programs, recorded
from deskcheck.records import Limits, Program, Rejected, Returned, Skipped, TimeLimit
from deskcheck.records.job import NOT_ALONE
from deskcheck.tracers import Trials, trace_packed, trace_programs
from deskcheck.tracing.execution import empty_trace
from deskcheck.tracing.run import trace_program

CODE = '''\
import re
from contextlib import contextmanager

STEP = 3


def helper(n):
    return n * STEP


def climb(n: int, words: list[str]) -> list[str]:
    """Some words.

    >>> climb(2, ["one", "two"])
    ['one2', 'two2']
    """
    found = []
    for word in words:
        if helper(n) > 5:
            found.append(word + str(n))
        else:
            found.append(re.sub("o", "0", word))
    return found


def lazy(n: int):
    for i in range(n):
        yield i * STEP


@contextmanager
def managed(n):
    yield n


async def later(n):
    return n


def test_climb():
    assert climb(1, ["moon"]) == ["m00n"]
    assert climb(n=4, words=[]) == []
'''


def made(place: Path | str, **more: object) -> list[Program | Skipped]:
    return list(programs(SourceOptions(source="functions", path=str(place), **more)))  # type: ignore[arg-type]


def calls_of(found: list[Program | Skipped]) -> list[str]:
    return [one.call for one in found if isinstance(one, Program) and one.entry == "climb"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("here") / "project"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg" / "climb.py").write_text(CODE)
    (root / "pkg" / "broken.py").write_text("def f(:\n")
    (root / "pkg" / "latin.py").write_bytes(b"# caf\xe9\n")
    return root


@pytest.fixture(scope="module")
def found(folder: Path) -> list[Program | Skipped]:
    return made(folder)


def test_asserted_calls_come_first_and_helpers_come_along(found: list[Program | Skipped]) -> None:
    calls = calls_of(found)
    assert calls[0] == "climb(1, ['moon'])"
    assert "climb(2, ['one', 'two'])" in calls
    assert 2 <= len(calls) <= PER_FUNCTION
    program = next(one for one in found if isinstance(one, Program) and one.entry == "climb")
    assert "STEP = 3" in program.source and "def helper" in program.source and "import re" in program.source
    assert "def lazy" not in program.source


def test_what_makes_no_program_is_there_with_its_reason(found: list[Program | Skipped]) -> None:
    skipped = {one.id: one.reason for one in found if isinstance(one, Skipped)}
    assert skipped["functions:pkg/broken.py"] == "does not parse"
    assert skipped["functions:pkg/latin.py"] == "not UTF-8"
    assert skipped["functions:pkg/climb.py:later"] == "a coroutine"
    assert skipped["functions:pkg/climb.py:managed"] == "a generator"


def test_a_generator_is_called_through_a_function_that_lists_its_items(
    found: list[Program | Skipped],
) -> None:
    lazy = [one for one in found if isinstance(one, Program) and one.entry == "all_of_lazy"]
    assert lazy and all("list(lazy(*args, **kwargs))" in one.source for one in lazy)
    assert all(one.call.startswith("all_of_lazy(") for one in lazy)
    traces = [trace for _, trace in trace_programs(lazy, LIMITS)]
    assert {type(trace.outcome) for trace in traces} == {Returned}


def test_a_folder_a_commit_an_archive_and_rows_give_the_same_programs(
    folder: Path, found: list[Program | Skipped], tmp_path: Path
) -> None:
    with tarfile.open(tmp_path / "p-1.tar.gz", "w:gz") as tar:
        tar.add(folder, "project-1.0")
    (tmp_path / "rows.jsonl").write_text(json.dumps({"content": CODE, "test_list": []}) + "\n")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    subprocess.run(["git", "add", "-A"], cwd=folder, check=True)
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *who, "commit", "-qm", "x"], cwd=folder, check=True)
    (folder / "pkg" / "later.py").write_text("def later(n: int):\n    return n\n")
    ids = [one.id for one in found]
    try:
        assert [one.id for one in made(f"{folder}@HEAD")] == ids
    finally:
        (folder / "pkg" / "later.py").unlink()
    assert [one.id for one in made(tmp_path / "p-1.tar.gz")] == ids
    assert set(calls_of(made(tmp_path / "rows.jsonl"))) >= {"climb(2, ['one', 'two'])"}


def test_the_path_as_typed_is_in_no_byte(folder: Path) -> None:
    given = SourceOptions(source="functions", path=f"{folder}/")
    assert recorded(given).path == "project"


def test_a_build_counts_what_became_no_program(folder: Path, tmp_path: Path) -> None:
    options = SourceOptions(source="functions", path=str(folder))
    summary = build(options, tmp_path / "out")
    assert summary.n_read == summary.n_kept + sum(summary.dropped.values())
    assert summary.dropped["a coroutine"] == 1 and summary.dropped["does not parse"] == 1
    again = build(options, tmp_path / "out")
    assert again == summary


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("no-such-package-xyz", "no file or folder at"),
        ("a.tar.gz", "not an archive"),
        ("a.zip", "not an archive"),
    ],
)
def test_what_cannot_be_had_is_one_message(name: str, what: str, tmp_path: Path) -> None:
    place = tmp_path / name
    if "." in name:
        place.write_bytes(b"\x1f\x8b\x00broken")
    with pytest.raises((UserError, DataError), match=what):
        list(texts_of(str(place) if "." in name else name))


def test_archives_are_read_within_bounds_and_names_lead_nowhere(tmp_path: Path) -> None:
    big = b"#" * (MOST_BYTES + 5)
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../up.py", "a = 1\n")
        archive.writestr("big.py", big)
    with tarfile.open(tmp_path / "x.tar", "w") as tar:
        link = tarfile.TarInfo("x/link.py")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
        plain = tarfile.TarInfo("x/a.py")
        plain.size = 6
        tar.addfile(plain, io.BytesIO(b"a = 1\n"))
    one, other = texts_of(str(tmp_path / "x.zip"))
    assert (one.place, one.text) == ("../../up.py", "a = 1\n") and isinstance(other, Skipped)
    assert [text.place for text in texts_of(str(tmp_path / "x.tar")) if isinstance(text, Text)] == ["a.py"]


def test_several_places_are_one_source(folder: Path, found: list[Program | Skipped]) -> None:
    both = made(f"{folder},sortedcontainers")
    assert [one.id for one in both[: len(found)]] == [one.id for one in found]
    assert any("sortedcontainers" in one.id or "sorted" in getattr(one, "origin", "") for one in both)


def test_columns_are_named_and_a_wrong_one_lists_what_there_is(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(
        json.dumps({"body": "def f(n: int):\n    return n\n", "checks": ["assert f(3) == 3"]}) + "\n"
    )
    (text,) = texts_of(str(file), columns={"code": "body", "tests": "checks"})
    assert isinstance(text, Text) and text.tests == "assert f(3) == 3"
    with pytest.raises(DataError, match="body, checks"):
        list(texts_of(str(file)))
    with pytest.raises(UserError, match="rows have code, tests, license"):
        list(texts_of(str(file), columns={"cod": "body"}))


def commit_of(folder: Path) -> str:
    """Make the folder a git repository with one commit; its name."""
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    done = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def test_a_repository_at_an_address_gives_the_files_of_its_commit(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "climb.py").write_text(CODE)
    commit = commit_of(tmp_path)
    (text,) = texts_of(f"file://{tmp_path}@{commit}")
    assert (text.place, text.text) == ("pkg/climb.py", CODE)
    for address, what in (
        (f"file://{tmp_path}@{'0' * 40}", "git says"),
        ("file:///no/where@main", "git says"),
    ):
        with pytest.raises(Unobtainable, match=what):
            list(texts_of(address))


def test_a_release_is_a_wheel_and_one_that_cannot_be_had_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with zipfile.ZipFile(tmp_path / "climb-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("climb/a.py", CODE)
        wheel.writestr("climb/tests/test_a.py", CODE)
        wheel.writestr(
            "climb-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: climb\nVersion: 1.0\nLicense: MIT\n"
        )
        wheel.writestr("climb-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    (text,) = texts_of("pypi:climb==1.0")
    assert (text.place, text.text, text.license) == ("climb-1.0:climb/a.py", CODE, "MIT")
    monkeypatch.setattr(
        "sys.argv", ["deskcheck", "build", "functions", "pypi:climb==2.0", "--out", str(tmp_path / "out")]
    )
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 1
    assert re.search(r"^deskcheck: pypi:climb==2.0: pip says: .*climb==2", capsys.readouterr().err)
    assert not (tmp_path / "out").exists()
    with pytest.raises(UserError, match="with its version: pypi:toolz==1"):
        list(texts_of("pypi:climb"))


def test_a_compressed_archive_is_read_within_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deskcheck.corpus.texts.MOST_UNPACKED", 3 << 20)
    for ending in ("gz", "bz2", "xz"):
        with tarfile.open(tmp_path / f"x.tar.{ending}", f"w:{ending}") as tar:  # type: ignore[call-overload]
            data = tarfile.TarInfo("x/zeros.bin")
            data.size = 8 << 20
            tar.addfile(data, io.BytesIO(bytes(data.size)))
        with pytest.raises(DataError, match="3 MiB once decompressed"):
            list(texts_of(str(tmp_path / f"x.tar.{ending}")))


PACKAGE = {
    "__init__.py": "from .shapes import *\nfrom .core import area as area\n",
    "base.py": (
        "import math\n\nSCALE = 2\n\n\nclass Shape:\n    unit = SCALE\n\n\n"
        "def half(n):\n    return math.floor(n / 2)\n\n\n"
        "def logged(f):\n    import logging_of_nobody\n    return f\n"
    ),
    "shapes.py": (
        "from own.base import Shape, half\n\n\n"
        "class Square(Shape):\n    def side(self, n):\n        return half(n) * self.unit\n"
    ),
    "core.py": (
        "from types import SimpleNamespace\nfrom . import base\n"
        "from . import Square\nfrom .base import half\n"
        "from .clash import SCALE as other\nfrom .clash import doubled\n\n\n"
        "def area(n: int):\n    return Square().side(n) + half(n)\n\n\n"
        "def as_object(n: int):\n    found = []\n    for step in range(3):\n"
        "        found.append(base.half(n + step) * base.SCALE)\n    return found\n\n\n"
        "def as_value(n: int):\n    return len(vars(base)) + n\n\n\n"
        "@base.logged\ndef decorated(n: int):\n    for step in range(3):\n        n += half(step)\n"
        "    return n\n\n\n"
        "try:\n    from .clash import doubled as _, SCALE as scale_of\n    mark = 'x'\n"
        "except ImportError:\n    mark = 'y'\n\n\n"
        "def marked(n: int):\n    for step in range(3):\n        n += step\n    return mark * n\n\n\n"
        "def with_branch(n: int):\n    for step in range(3):\n        n += sys_step\n    return n\n\n\n"
        "if SCALE_SET := True:\n    sys_step = 2\nelse:\n    sys_step = 3\n\n\n"
        "def renamed(n: int):\n    return other * n\n\n\n"
        "def clashing(n: int):\n    return doubled(n) + Square.unit\n\n\n"
        "def boxed(n: int):\n    box = SimpleNamespace(n=n)\n"
        "    for step in range(3):\n        box.n += step\n    return box.n\n"
    ),
    "clash.py": "SCALE = 3\n\n\ndef doubled(n):\n    return n * SCALE\n",
    "types.py": "SimpleNamespace = None\n",
}


@pytest.mark.parametrize("root", ["", "src"])
def test_what_a_function_needs_of_other_modules_of_its_package_comes_along(tmp_path: Path, root: str) -> None:
    folder = tmp_path / root / "own"
    folder.mkdir(parents=True)
    for name, text in PACKAGE.items():
        (folder / name).write_text(text)
    found = list(programs(SourceOptions(source="functions", path=str(tmp_path))))
    prefix = f"functions:{root}/own" if root else "functions:own"
    areas = [p for p in found if isinstance(p, Program) and p.origin.startswith(f"{prefix}/core.py:area:")]
    assert areas and areas[0].source == (
        "import math\n\nSCALE = 2\n\n\nclass Shape:\n    unit = SCALE\n\n\n"
        "def half(n):\n    return math.floor(n / 2)\n\n\n"
        "class Square(Shape):\n    def side(self, n):\n        return half(n) * self.unit\n\n\n"
        "def area(n: int):\n    return Square().side(n) + half(n)\n"
    )
    reasons = {p.id.rpartition(":")[2]: p.reason for p in found if isinstance(p, Skipped)}
    assert reasons["as_value"] == "uses a module of its package as an object"
    (of_object, *_) = (p for p in found if isinstance(p, Program) and "core.py:as_object:" in p.origin)
    assert "\n\nbase = SimpleNamespace(SCALE=SCALE, half=half)\n" in of_object.source
    (plain, *_) = (p for p in found if isinstance(p, Program) and "core.py:decorated:" in p.origin)
    assert "\ndef decorated(n: int):" in plain.source and "logged" not in plain.source
    (marked, *_) = (p for p in found if isinstance(p, Program) and "core.py:marked:" in p.origin)
    assert marked.source.startswith("mark = 'x'\n")
    (branch, *_) = (p for p in found if isinstance(p, Program) and "core.py:with_branch:" in p.origin)
    assert "if SCALE_SET := True:\n    sys_step = 2\nelse:\n    sys_step = 3\n" in branch.source
    assert reasons["renamed"] == "needs another module of its package"
    assert reasons["clashing"] == "a name that two of its modules use for different things"
    boxed = [p for p in found if isinstance(p, Program) and "core.py:boxed:" in p.origin]
    assert boxed, reasons
    assert "from types import SimpleNamespace" in boxed[0].source  # the library's, not its own


def test_hypothesis_draws_inputs_of_the_annotated_types(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "def total(pairs: list[tuple[int, str]], most: int | None, *, way: Literal['up', 'down']):\n"
        "    found = 0\n    for number, name in pairs:\n        found += number * len(name)\n"
        "    return found if way == 'up' else -found\n"
    )
    plain = [one for one in made(tmp_path / "a.py") if isinstance(one, Program)]
    more = [one for one in made(tmp_path / "a.py", inputs=["hypothesis"]) if isinstance(one, Program)]
    assert not plain and len(more) >= 3  # nobody guesses a list of pairs with a word of two
    assert [one.arguments for one in more] == [
        one.arguments for one in made(tmp_path / "a.py", inputs=["hypothesis"]) if isinstance(one, Program)
    ]


def test_what_a_model_writes_is_parsed_as_literals_and_run(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "def kind(shape: dict[str, int]):\n    found = shape['sides']\n    if found == 3:\n"
        "        return 'triangle'\n    if found == 4:\n        return 'square'\n    return 'other'\n"
    )
    asked: list[str] = []

    def ask(prompts: Sequence[str]) -> list[str]:
        asked.extend(prompts)
        return [
            "```python\nkind({'sides': 3})\n- kind({'sides': 4})\nkind(open('x'))\nother(1)\n"
            "kind({'sides': 'many'})\nkind({'corners': 3})\n```"
        ]

    trials = Trials(trace_packed, LIMITS, ask)
    found = list(programs(SourceOptions(source="functions", path=str(tmp_path / "a.py")), trials))
    calls = [one.call for one in found if isinstance(one, Program)]
    assert "def kind" in asked[0] and "kind({'sides': 3})" in calls and "kind({'sides': 4})" in calls
    assert not any("corners" in call or "open" in call for call in calls)  # it raises; it is no literal


def test_a_written_call_is_of_the_same_method_of_the_same_class() -> None:
    answer = (
        "Stack([1]).push(2)\nStack(f()).push(2)\nStack([1]).pop()\nQueue([1]).push(2)\n`Stack([]).push(x=3)`"
    )
    assert written_calls(answer, "Stack([5]).push") == [("Stack([1]).push", "2"), ("Stack([]).push", "x=3")]


def built_from(code: str, tmp_path: Path, **more: object) -> tuple[list[Program], dict[str, str]]:
    """Build from one file; return the kept programs, and reason of each dropped function or call."""
    (tmp_path / "code").mkdir(exist_ok=True)
    (tmp_path / "code" / "a.py").write_text(code)
    out = tmp_path / "out"
    build(
        SourceOptions(source="functions", path=str(tmp_path / "code"), **more),  # type: ignore[arg-type]
        out,
        workers=1,
    )
    rows = [program for program, _ in pairs_of(out)]
    dropped = out / "dropped.jsonl"
    lost = [json.loads(line) for line in dropped.read_text().splitlines()] if dropped.exists() else []
    return rows, {one["origin"].rpartition("a.py:")[2]: one["reason"] for one in lost}


def pairs_of(out: Path) -> list[tuple[Program, Packed]]:
    """Return all rows of a dataset."""
    rows = [row for entry in read_manifest(out) for row in read_packed(check_shard(out, entry))]
    return [(program, packed) for program, packed in rows if program is not None]


def test_a_generator_method_is_called_through_a_method_that_lists_its_items(tmp_path: Path) -> None:
    rows, _ = built_from(
        "class Bag:\n    def __init__(self, n: int):\n        self.n = n\n\n"
        "    def items(self, k: int):\n        for i in range(3):\n            yield self.n + i * k\n",
        tmp_path,
    )
    assert rows and all(re.match(r"Bag\(.*\)\.all_of_items$", one.entry) for one in rows)
    assert rows[0].source.endswith(
        "def all_of_items(self, *args, **kwargs):\n    return list(self.items(*args, **kwargs))\n\n\n"
        "Bag.all_of_items = all_of_items\n"
    )


def test_a_method_of_two_objects_gets_another_object_of_its_class(tmp_path: Path) -> None:
    rows, _ = built_from(
        "class Money:\n    def __init__(self, cents: int):\n        self.cents = cents\n\n"
        "    def __lt__(self, other):\n        if self.cents < other.cents:\n            return True\n"
        "        return False\n",
        tmp_path,
    )
    assert len(rows) >= 2 and all(re.match(r"Money\(.+\)$", one.arguments) for one in rows)


def test_as_many_calls_as_asked_for_and_only_one_where_all_answers_are_equal(tmp_path: Path) -> None:
    code = (
        "def twice(n: int):\n    return n * 2\n\n\ndef same(n: int):\n    return 'x'\n\n\n"
        "class Bag:\n    def __init__(self, n: int):\n        self.n = n\n\n"
        "    def grow(self, by: int):\n        self.n += by\n"
    )
    for wanted, n_expected in ((None, 6), (9, 9), (2, 2)):
        path = tmp_path / str(wanted)
        path.mkdir()
        rows, _ = built_from(code, path, calls_each=wanted)
        counts = Counter(one.origin.split(":")[2] for one in rows)
        assert counts == {"twice": n_expected, "same": 1, "Bag.grow": n_expected}


def test_runs_that_differ_from_run_to_run_are_dropped(tmp_path: Path) -> None:
    rows, lost = built_from(
        "import threading\n\n\n"
        "def address(n: int):\n    return str(object())[-8:] + str(n)\n\n\n"
        "def started(n: int):\n    made = threading.Thread(target=steady, args=(n,))\n    made.start()\n"
        "    made.join()\n    return n\n\n\n"
        "def steady(n: int):\n    return n + 1\n",
        tmp_path,
    )
    assert {one.origin.split(":")[2] for one in rows} == {"steady"}
    assert lost == {"started": "starts threads"}
    quarantine = (tmp_path / "out" / "quarantine.jsonl").read_text()
    assert '"address"' in quarantine and "nondeterministic" in quarantine
    assert all(packed.head.determinism.confirmed for _, packed in pairs_of(tmp_path / "out"))


def test_a_long_program_is_a_program_and_a_filter_can_drop_it(tmp_path: Path) -> None:
    rows, _ = built_from("def far(n: int):\n" + "    n += 1\n" * 400 + "    return n\n", tmp_path)
    assert [one.entry for one in rows] == ["far"] * 6
    (tmp_path / "short").mkdir()
    summary = build(
        SourceOptions(source="functions", path=str(tmp_path / "code")),
        tmp_path / "short" / "out",
        workers=1,
        filters=["long-source=2000"],
    )
    assert summary.dropped == {"long source": 6}


def test_a_trial_run_that_differs_in_company_is_quarantined_with_both_results(tmp_path: Path) -> None:
    """A defect of the sandbox is not hidden by the choice among the calls of a function."""
    (tmp_path / "a.py").write_text("def twice(n: int):\n    return n * 2\n")
    tried: list[str] = []

    def tracer(
        programs: Iterable[Program], limits: Limits, **how: object
    ) -> Iterator[tuple[Program, Packed]]:
        for program in programs:
            tried.append(program.id)
            packed = packed_of(trace_program(program, limits))
            if len(tried) == 3:
                packed = packed_of(empty_trace(program.id, limits, Rejected(NOT_ALONE)))
                packed.compared = [b"one", b"other"]
            yield program, packed

    out = tmp_path / "out"
    summary = build(SourceOptions(source="functions", path=str(tmp_path / "a.py")), out, trace=tracer)
    assert summary.dropped == {DEFECT: 1} and summary.n_kept == PER_FUNCTION
    (line,) = read_quarantine(out)
    assert (line.program.id, line.compared) == (tried[2], [b"one", b"other"])


def test_a_second_run_keeps_its_own_outcome_if_it_fails(tmp_path: Path) -> None:
    """A time limit or a defect of the sandbox in the second run is not called nondeterministic."""
    (tmp_path / "a.py").write_text("def twice(n: int):\n    return n * 2\n")
    n_runs: Counter[str] = Counter()
    failures = [Rejected(NOT_ALONE), TimeLimit(2.0)]

    def tracer(
        programs: Iterable[Program], limits: Limits, **how: object
    ) -> Iterator[tuple[Program, Packed]]:
        for program in programs:
            n_runs[program.id] += 1
            packed = packed_of(trace_program(program, limits))
            if n_runs[program.id] == 2 and failures:
                packed = packed_of(empty_trace(program.id, limits, failures.pop(0)))
            yield program, packed

    summary = build(
        SourceOptions(source="functions", path=str(tmp_path / "a.py")), tmp_path / "out", trace=tracer
    )
    assert summary.dropped == {DEFECT: 1, "time limit": 1}


def test_modules_of_a_package_that_cannot_be_read_are_named_with_their_reason(tmp_path: Path):
    (tmp_path / "mark.py").write_bytes(b"\xef\xbb\xbfx = 1\n")
    (tmp_path / "latin.py").write_bytes(b"x = '\xff'\n")
    package = Package("p", "1", "MIT", str(tmp_path), ["gone.py", "latin.py", "mark.py"])
    gone, latin, mark = _of_package(package)
    assert gone == Skipped("p:gone.py", "cannot be read: No such file or directory")
    assert latin == Skipped("p:latin.py", "not UTF-8")
    assert isinstance(mark, Text) and mark.text == "x = 1\n"
