"""Damage, places that cannot be written, dead servers, Ctrl-C, odd terminals: one clear line and a true code.

One process makes nearly all the calls; what is typed wrongly stands in `test_wrong_input.py`.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests.evaluation.inspecting import MARKS, collect_here  # noqa: F401 - a fixture of every test

from deskcheck import cli
from deskcheck.models.tiny import SHIPPED

pytestmark = [*MARKS, pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")]
ROOT = Path(__file__).parents[1]
GRADE = "grade  --benchmark  cruxeval  --data  answers/tasks.jsonl  --generations  "
BUILD = "build  generated  --family  easy  --n  4  --workers  1  --shard-size  2  --out  "
EVAL = "eval  --model  tiny  --benchmark  easy  --limit  2  --strategy  direct  --log-dir  "
EXECUTE = "execute  easy.py  --call  f(3, [5])  --model  tiny  -M  path="
TRACE = "trace  easy.py  --call  f(3, [5])"

# What happens to a file, what is typed then, the exit code, words of the message apart by "; ".
DAMAGED = [
    ("cut rows.parquet", "table  rows.parquet", 2, "rows.parquet: not a whole Parquet file; restore it"),
    ("cut rows.parquet", "report  rows.parquet", 2, "rows.parquet: not a whole Parquet file; restore it"),
    ("cut rows.parquet", "compare  rows.parquet  rows.parquet", 2, "not a whole Parquet file; restore it"),
    ("cut rows.parquet", "table  rows.parquet  --as  leaderboard", 2, "not a whole Parquet file; restore it"),
    ("cut rows.parquet", "merge  rows.parquet  --out  m.parquet", 2, "not a whole Parquet file; restore it"),
    ("junk rows.parquet", "table  rows.parquet", 2, "rows.parquet: not a whole Parquet file; restore it"),
    ("spoil rows.parquet", "report  rows.parquet", 2, "rows.parquet: damaged inside; restore it"),
    ("spoil rows.parquet", "merge  rows.parquet  --out  m.parquet", 2, "damaged inside; restore it"),
    ("cut run.deskcheck", "view  run.deskcheck", 2, "run.deskcheck is not a readable run; record it again"),
    ("junk run.deskcheck", "view  run.deskcheck", 2, "run.deskcheck is not a readable run; record it again"),
    ("", "data  run.deskcheck", 2, "run.deskcheck is one saved run; deskcheck view run.deskcheck"),
    ("cut data/traces-000000000.parquet", "data  data", 2, "is not what was written; delete its line in"),
    ("cut data/traces-000000000.parquet", BUILD + "data", 2, "is not what was written; delete its line in"),
    ("junk data/traces-000000002.parquet", "data  data", 2, "is not what was written; delete its line in"),
    ("junk data/traces-000000000.parquet", "view  data  --task  0", 2, "is not what was written"),
    ("cut data/dataset.json", "data  data", 2, "dataset.json is not a configuration; build into a new"),
    ("cut data/dataset.json", BUILD + "data", 2, "dataset.json is not a configuration; build into a new"),
    (
        "cut answers/cruxeval.json",
        GRADE + "answers/cruxeval.json",
        2,
        "cruxeval.json: no importer; it is damaged; restore",
    ),
    ("cut answers/tasks.jsonl", GRADE + "answers/jsonl.jsonl", 2, "tasks.jsonl, line 3: not JSON"),
    ("tear answers/jsonl.jsonl", GRADE + "answers/jsonl.jsonl", 1, "line 5: not JSON; 1 of 5 answers are"),
    ("tear answers/conversation.jsonl", GRADE + "answers/conversation.jsonl", 1, "line 5: not JSON; 1 of 5"),
    ("cut model/config.json", EXECUTE + "model", 2, "the model in 'model' cannot be read; restore it"),
    ("junk model/config.json", EXECUTE + "model", 2, "the model in 'model' cannot be read; restore it"),
    ("cut model/model.onnx", EXECUTE + "model", 2, "the model in 'model' cannot be read; restore it"),
    ("cut model/tokenizer.json", EXECUTE + "model", 2, "the model in 'model' cannot be read; restore it"),
    ("lose model/tokenizer.json", EXECUTE + "model", 2, "tokenizer.json missing; deskcheck train --preset"),
]
LOGS = [
    ("cut .eval", "table  logs", 2, ".eval is cut or damaged; the same `deskcheck eval`; delete the file"),
    ("cut .eval", "report  logs  --out  new.html", 2, ".eval is cut or damaged; the same `deskcheck eval`"),
    ("cut .eval", "compare  logs  logs", 2, ".eval is cut or damaged; the same `deskcheck eval`"),
    ("cut .eval", "merge  logs  --out  m.parquet", 2, ".eval is cut or damaged; the same `deskcheck eval`"),
    ("lose .eval", "table  logs", 0, ""),
    ("tear results.jsonl", "table  logs", 2, "results.jsonl:2; the same `deskcheck eval`"),
    ("lose results.jsonl", "table  logs", 2, "results.jsonl is missing; the same `deskcheck eval`"),
    ("cut cell.json", "report  logs", 2, "cell.json: Input data was truncated; the same `deskcheck eval`"),
]
# What cannot be written, as root neither: below a file, and where the system allows no files.
UNWRITABLE = [
    (TRACE + "  --out  easy.py/x.parquet", "--out easy.py/x.parquet: its folder does not exist"),
    (TRACE + "  --out  /proc/x.parquet", "/proc/x.parquet could not be written; name another place"),
    (TRACE + "  --out  /proc/x.deskcheck", "/proc/x.deskcheck could not be written; name another place"),
    ("view  run.deskcheck  --out  easy.py/x.html", "no folder 'easy.py' to write 'easy.py/x.html'"),
    ("view  run.deskcheck  --out  /proc/x.html", "/proc/x.html could not be written; name another place"),
    (BUILD + "easy.py/data", "--out easy.py/data cannot be written; name a folder that can"),
    (BUILD + "/proc/data", "--out /proc/data cannot be written; name a folder that can"),
    (EVAL + "easy.py/logs", "--log-dir easy.py/logs cannot be made; name another folder"),
    (EVAL + "/proc/logs", "--log-dir /proc/logs cannot be made; name another folder"),
    (GRADE + "answers/jsonl.jsonl  --out  easy.py/x.parquet", "no folder 'easy.py' to write"),
    ("table  rows.parquet  --out  /proc/t.csv", "/proc/t.csv could not be written; name another place"),
    ("table  rows.parquet  --figures  /proc/f", "--figures /proc/f cannot be made; name another folder"),
    ("table  rows.parquet  --figures  easy.py/f", "--figures easy.py/f cannot be made; name another folder"),
    ("merge  rows.parquet  --out  easy.py/m.parquet", "no folder 'easy.py' to write"),
    (
        "merge  rows.parquet  --out  /proc/m.parquet",
        "/proc/m.parquet could not be written; name another place",
    ),
    ("report  rows.parquet  --out  /proc/r.html", "/proc/r.html could not be written; name another place"),
    ("table  rows.parquet  --as  leaderboard  --out  easy.py/l.json", "no folder 'easy.py' to write"),
    ("demo  --out  easy.py/x.html", "no folder 'easy.py' to write"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one whole file of each kind."""
    pytest.importorskip("pyarrow", reason="needs the extra 'data'")
    folder = tmp_path_factory.mktemp("made")
    shutil.copytree(ROOT / "examples", folder, dirs_exist_ok=True)
    shutil.copytree(SHIPPED, folder / "model")
    before = Path.cwd()
    os.chdir(folder)
    try:
        for typed in (
            GRADE + "answers/jsonl.jsonl  --out  rows.parquet",
            BUILD + "data",
            TRACE + "  --out  run.deskcheck",
        ):
            assert ended(typed) == 0, typed
    finally:
        os.chdir(before)
    return folder


@pytest.fixture
def here(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    fill(made)
    return tmp_path / "here"


def fill(made: Path) -> None:
    """Copy the whole files to the working folder, which loses what it held; the model's 4 MB are linked."""
    for path in Path().iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(made, Path(), dirs_exist_ok=True, ignore=shutil.ignore_patterns("model"))
    shutil.copytree(made / "model", "model", copy_function=os.link)


def ended(typed: str) -> int:
    """The exit code of a command, run in this process."""
    argv, sys.argv = sys.argv, ["deskcheck", *typed.split("  ")]
    try:
        cli.main()
    except SystemExit as end:
        return int(end.code or 0)
    finally:
        sys.argv = argv
    return 0


def damage(how: str, path: Path) -> None:
    """Cut a file in half, tear its end off, overwrite its inner half or 40 bytes, or remove it."""
    data = path.read_bytes()
    path.unlink()  # it may be a link
    if how == "lose":
        return
    if how == "spoil":
        path.write_bytes(data[:200] + b"\xff" * 40 + data[240:])
    elif how == "junk":
        quarter = len(data) // 4
        path.write_bytes(data[:quarter] + b"\xff" * (len(data) - 2 * quarter) + data[-quarter:])
    else:
        path.write_bytes(data[: len(data) // 2 if how == "cut" else -30])


def tree(folder: Path) -> dict[str, bytes]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path): path.read_bytes() if path.suffix != ".onnx" else b"" for path in files}


def check(typed: str, code: int, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert (ended(typed), typed) == (code, typed), capsys.readouterr().err
    out, err = capsys.readouterr()
    said = out + err
    assert [part for part in words.split("; ") if part not in said] == [], (typed, said)
    assert "Traceback" not in said and (code != 2 or "deskcheck: " in err), (typed, said)


def needs_eval() -> None:
    pytest.importorskip("inspect_ai", reason="needs the extra 'eval'")
    pytest.importorskip("onnxruntime", reason="needs the extra 'eval'")


def runs_here(typed: str) -> bool:
    """Whether the libraries of a command are here."""
    return not typed.startswith(("execute", "eval", "demo", "study")) or bool(
        find_spec("inspect_ai") and find_spec("onnxruntime")
    )


def test_a_damaged_file_is_named_with_what_to_do_and_nothing_is_changed(
    made: Path, here: Path, capsys: pytest.CaptureFixture[str]
):
    for done, typed, code, words in DAMAGED:
        if runs_here(typed):
            fill(made)
            if done:
                damage(done.split()[0], here / done.split()[1])
            before = tree(here)
            check(typed, code, words, capsys)
            assert tree(here) == before, typed


def test_a_place_that_takes_no_file_is_refused_and_nothing_is_changed(
    here: Path, capsys: pytest.CaptureFixture[str]
):
    before = tree(here)
    for typed, words in UNWRITABLE:
        if runs_here(typed) and ("/proc/" not in typed or Path("/proc/self").exists()):
            check(typed, 2, words, capsys)
            assert tree(here) == before, typed


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log folder of one small evaluation."""
    needs_eval()
    folder = tmp_path_factory.mktemp("logged") / "logs"
    assert ended(EVAL + str(folder)) == 0
    return folder


def test_a_damaged_log_folder_is_named_with_what_to_do(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    for done, typed, code, words in LOGS:
        shutil.rmtree(tmp_path / "logs", ignore_errors=True)
        shutil.copytree(logs, tmp_path / "logs")
        how, name = done.split()
        (path,) = (found for found in (tmp_path / "logs").glob("*/*") if found.name.endswith(name))
        damage(how, path)
        before = tree(tmp_path)
        check(typed, code, words, capsys)
        assert tree(tmp_path) == before, typed


def test_the_same_evaluation_mends_its_damaged_folder_and_asks_nothing_again(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(logs, tmp_path / "logs")
    (cell,) = (tmp_path / "logs").iterdir()
    results = (cell / "results.jsonl").read_bytes()
    for how, others in (("cut", ["results.jsonl", "cell.json"]), ("junk", [])):
        (log,) = cell.glob("*.eval")
        for path in (log, *(cell / name for name in others)):
            damage(how, path)
        damaged = log.read_bytes()
        check(EVAL + "logs", 0, "2 were answered before and are not asked again", capsys)
        assert (cell / "results.jsonl").read_bytes() == results
        assert (cell / (log.name + ".damaged")).read_bytes() == damaged
        assert zipfile.ZipFile(*cell.glob("*.eval")).testzip() is None
        check("table  logs", 0, "deskcheck/tiny", capsys)


# ------------------------------------------------------------------ servers


@pytest.fixture
def silent() -> Iterator[int]:
    """Port of a server that takes connections and never answers."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def served(command: str, port: int) -> str:
    rest = f"  --model  openai-api/mine/fake  -M  base_url=http://127.0.0.1:{port}/v1  -M  api_key=x"
    return command + rest


def test_execute_says_at_once_that_nobody_listens(here: Path, capsys: pytest.CaptureFixture[str]):
    needs_eval()
    with socket.socket() as bound:  # bound and not listening: nobody else gets the port, nobody answers
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        check(
            served("execute  easy.py  --call  f(3, [5])", port),
            2,
            f"no server answers at http://127.0.0.1:{port}/v1; Start it",
            capsys,
        )


def test_execute_says_that_a_server_is_slow_before_it_waits(
    here: Path, silent: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    needs_eval()
    from deskcheck.evaluation import client

    class Asked(Exception):
        """The model is asked now."""

    async def ask(*_: object) -> None:
        raise Asked

    monkeypatch.setattr(client, "probe", partial(client.probe, timeout_s=0.05))
    monkeypatch.setattr(client, "roll_out", ask)
    assert ended(served("execute  easy.py  --call  f(3, [5])", silent)) == 70  # the planted end
    assert "has not answered for 0.05 s; asking all the same" in capsys.readouterr().err


# ------------------------------------------------------------------ Ctrl-C


@pytest.fixture
def interruptible() -> Iterator[None]:
    """The signal as a terminal gives it; runners of tests may ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pressing(function: Callable[..., Any], at: int) -> Callable[..., Any]:
    """The function, before whose call number `at` somebody presses Ctrl-C."""
    calls = [0]

    def pressed(*arguments: Any, **options: Any) -> Any:
        calls[0] += 1
        if calls[0] == at:
            signal.raise_signal(signal.SIGINT)
        return function(*arguments, **options)

    return pressed


# What is typed, the function in which Ctrl-C is pressed, and before which of its calls.
PRESSED = [
    (TRACE, "deskcheck.tracing.collect.read_packed", 1),
    ("trace  --trust  easy.py  --call  f(3, [5])", "deskcheck.tracing.collect.run_trusted", 1),
    (BUILD + "new", "deskcheck.dataset.folder.append_lines", 3),
    (GRADE + "answers/jsonl.jsonl  --out  new.parquet", "deskcheck.result_rows._table", 1),
    ("view  run.deskcheck", "deskcheck.cli.viewing.write_whole", 1),
    ("report  rows.parquet", "deskcheck.report.read.read_results", 1),
    ("table  rows.parquet", "deskcheck.report.read.read_results", 1),
    ("merge  rows.parquet  --out  m.parquet", "deskcheck.result_rows._table", 1),
    (EVAL + "new", "deskcheck.evaluation.inspect_task.roll_out", 2),
    ("study  study.toml  --limit  1  --log-dir  new", "deskcheck.evaluation.inspect_task.roll_out", 1),
    (EXECUTE + "model", "deskcheck.evaluation.client.roll_out", 1),
]


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(("typed", "place", "at"), PRESSED, ids=lambda value: str(value)[:40])
def test_ctrl_c_ends_with_130_and_the_same_command_goes_on(
    typed: str, place: str, at: int, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
):
    if not runs_here(typed):
        pytest.skip("needs the extra 'eval'")
    module, _, name = place.rpartition(".")
    __import__(module)
    before = tree(here)
    with monkeypatch.context() as patch:
        patch.setattr(place, pressing(getattr(sys.modules[module], name), at))
        check(typed, 130, "interrupted; run the same command again", capsys)
    after = tree(here)
    assert {path: after.get(path) for path in before} == before
    assert ended(typed) == 0


# ------------------------------------------------------------------ the disk


def test_a_disk_that_fills_during_a_build_keeps_what_was_finished(
    here: Path, capsys: pytest.CaptureFixture[str]
):
    """A limit on the size of files stands for the full disk; Python ignores its signal."""
    sizes = sorted(path.stat().st_size for path in Path("data").glob("*.parquet"))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (sizes[0] // 2, limits[1]))
        code = ended(BUILD + "new")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    said = capsys.readouterr().err
    assert code == 2 and "Traceback" not in said
    assert "new" in said and "free" in said, said
    assert ended(BUILD + "new") == 0
    made = {path.name: path.read_bytes() for path in Path("new").glob("*.parquet")}
    assert made == {path.name: path.read_bytes() for path in Path("data").glob("*.parquet")}


def test_a_file_that_may_not_be_read_is_named(here: Path, capsys: pytest.CaptureFixture[str]):
    if os.geteuid() == 0:
        pytest.skip("this user is root, whom no permission keeps from reading a file")
    for name, typed in (("easy.py", TRACE), ("rows.parquet", "table  rows.parquet")):
        Path(name).chmod(0)
        check(typed, 2, f"{name}; ermission denied", capsys)


# ------------------------------------------------------------------ terminals


@pytest.mark.parametrize(
    "variables",
    [{"COLUMNS": "60"}, {"LC_ALL": "C"}, {"LC_ALL": "de_DE.UTF-8", "LANG": "tr_TR"}, {"TERM": "dumb"}],
    ids=str,
)
def test_an_odd_terminal_or_locale_changes_no_word_of_a_trace(variables: dict[str, str], here: Path):
    Path("wide.py").write_text("def f(s):\n    é = s + 'ß中'\n    return é\n", encoding="utf-8")
    command = [sys.executable, "-m", "deskcheck", "trace", "--trust", "wide.py", "--call", "f('ü')"]
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    done = subprocess.run(
        command, capture_output=True, check=False, env={**kept, **variables}, stdin=subprocess.DEVNULL
    )
    assert (done.returncode, done.stderr) == (0, b""), done.stderr
    assert done.stdout.decode("utf-8").splitlines()[-1] == "returned 'üß中' after 2 steps"


def test_no_standard_stream_at_all_is_no_traceback(here: Path):
    """Of a service that has none: closed descriptors."""
    command = f"exec {sys.executable} -m deskcheck trace --trust easy.py --call 'f(3, [5])' <&- 2>err"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, Path("err").read_text()) == (0, "")
    assert done.stdout.endswith("returned 4 after 5 steps\n")


def test_there_are_120_odd_inputs_and_more():
    from tests.test_wrong_input import WRONG

    new = {typed + done for done, typed, *_ in [*DAMAGED, *LOGS]} | {typed for typed, *_ in UNWRITABLE}
    assert len(new) == len(DAMAGED) + len(LOGS) + len(UNWRITABLE)
    assert len({typed for typed, _ in WRONG}) + len(new) + len(PRESSED) >= 190


def test_parts_of_a_run_keep_apart_and_the_one_that_is_missing_is_named(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("onnxruntime")
    part = EVAL.replace("--limit  2", "--limit  9")
    for k in (1, 2):
        assert ended(f"{part}logs{k}  --shard  {k}/3") == 0
    capsys.readouterr()
    assert ended(f"{part}logs1  --shard  2/3") == ended(f"{part}logs1") == 2
    said = capsys.readouterr().err.splitlines()
    first, second = (line for line in said if line.startswith("deskcheck: "))
    words = "--log-dir logs1 has the results of --shard 1/3 of this run, which "
    assert words + "--shard 2/3 would replace" in first and words + "the whole run would replace" in second
    assert ended("merge  logs1  logs2  --out  m.parquet") == 1
    assert "part 3/3 is not among them; merge again with it" in capsys.readouterr().out
    assert ended("compare  m.parquet  logs1") == 0
    said = capsys.readouterr().out
    assert "not alike" not in said and "extraction=" not in said
    next(Path("logs2").rglob("cell.json")).rename("away")
    Path("logs2").rename("logs1/logs2")
    assert ended("table  logs1") == 0
    assert ": it did not finish; left out; the same `deskcheck eval` goes on" in capsys.readouterr().err
