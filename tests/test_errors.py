"""Bad input on the command line: one line (what, value, where, what next), exit code 2, no traceback."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from deskcheck import errors
from deskcheck.plugins import FOLDERS, names


def deskcheck(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "deskcheck", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def refused(*arguments: str, cwd: Path) -> str:
    """The message of a command that must be refused and leave nothing behind."""
    before = sorted(cwd.rglob("*"))
    done = deskcheck(*arguments, cwd=cwd)
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    assert sorted(cwd.rglob("*")) == before
    return done.stderr


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text("def f(n):\n    return n + 1\n")
    return path


def test_an_unknown_command_lists_the_known_ones(tmp_path: Path):
    message = refused("repotr", cwd=tmp_path)
    assert message.startswith("deskcheck: no command called 'repotr'; known: ")
    assert message.endswith("did you mean 'report'?; `deskcheck -h` says what each does\n")


IN_A_COMMAND = """
from deskcheck import cli, errors
def here(site: str = "") -> None:
    raise {what}
cli.COMMANDS["here"] = (cli.COMMANDS["train"][0], here)
import sys
sys.argv = ["deskcheck", "here", *sys.argv[1:]]
cli.main()
"""


PRINTS = IN_A_COMMAND.format(what="SystemExit(print('\\xe4 \\U0001f40d \\ud800'))")


def test_what_the_encoding_of_standard_output_lacks_is_written_as_json_escapes():
    for encoding, text in (("ascii", "\\u00e4 \\ud83d\\udc0d \\ud800"), ("utf-8", "ä \U0001f40d \\ud800")):
        done = subprocess.run(
            [sys.executable, "-c", PRINTS], capture_output=True, check=False, timeout=60,
            env=os.environ | {"PYTHONIOENCODING": encoding},
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode(encoding) == text + "\n"


ON_STREAMS = IN_A_COMMAND.format(
    what="""SystemExit([
        stream.isatty() or stream.write("x") and stream.flush() for stream in (sys.stdout, sys.stderr)
    ] and __import__("subprocess").run(["sh", "-c", "echo a && echo b >&2"], check=True).returncode)"""
)


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_a_closed_standard_output_or_error_is_borne(closed: str, tmp_path: Path):
    done = subprocess.run(
        ["sh", "-c", f'"$0" -c "$1" {closed}', sys.executable, ON_STREAMS],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout in ("", "xa\n") and done.stderr in ("", "xb\n")


def test_an_error_of_ours_in_a_command_is_one_line_and_exit_code_2():
    code = IN_A_COMMAND.format(what="errors.DataError('file x, line 3: no such column')")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (2, "deskcheck: file x, line 3: no such column\n")


def test_a_full_disk_that_stops_an_evaluation_is_told_with_its_place_and_a_remedy():
    code = IN_A_COMMAND.format(
        what="""errors.DataError("a, b stopped: OSError(28, 'No space left on device')")"""
    )
    code = code.replace("cli.main()", "sys.argv += ['--site', 'x', '--log-dir', 'full']; cli.main()").replace(
        'site: str = ""', 'site: str = "", log_dir: str = ""'
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    told = "a, b stopped: full: No space left on device; what was finished before is kept; free some space"
    assert done.returncode == 2 and done.stderr.startswith(f"deskcheck: {told}")


def test_a_library_that_an_extra_brings_is_named_with_the_line_that_installs_it():
    code = IN_A_COMMAND.format(what="ModuleNotFoundError('No module', name='onnxruntime.capi')")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert done.stderr.startswith("deskcheck: here needs the library 'onnxruntime")
    assert "[eval]'" in done.stderr


def test_a_missing_module_of_ours_is_a_bug_and_shows_as_one():
    code = IN_A_COMMAND.format(what="ModuleNotFoundError('No module', name='deskcheck.nowhere')")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 70
    assert "Traceback" in done.stderr and "deskcheck's own fault" in done.stderr


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EACCES, errno.ENOSPC, errno.ESTALE])
def test_a_failure_of_a_place_that_was_typed_is_one_line(number: int, tmp_path: Path):
    typed = tmp_path / "typed"
    for place in (typed / "a" / "b", typed, tmp_path):
        what = f"OSError({number}, 'reason', {str(place)!r})"
        done = subprocess.run(
            [sys.executable, "-c", IN_A_COMMAND.format(what=what), "--site", str(typed)],
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.returncode == 2 and done.stderr.count("\n") == 1
        assert done.stderr.startswith(f"deskcheck: {place}: reason; ")


def test_a_failure_of_a_place_that_nobody_typed_is_a_bug(tmp_path: Path):
    what = f"OSError({errno.ENOENT}, 'reason', {str(tmp_path / 'elsewhere')!r})"
    done = subprocess.run(
        [sys.executable, "-c", IN_A_COMMAND.format(what=what), "--site", str(tmp_path / "typed")],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 70 and "deskcheck's own fault" in done.stderr


def test_an_interrupted_command_says_how_to_go_on_and_exits_with_130():
    code = IN_A_COMMAND.format(what="KeyboardInterrupt")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 130
    assert done.stderr == (
        "deskcheck: interrupted; what was finished is kept, run the same command again to continue\n"
    )


def test_an_interrupted_training_names_the_option_that_goes_on():
    code = IN_A_COMMAND.replace('"here"', '"train"').format(what="KeyboardInterrupt")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 130
    assert done.stderr == (
        "deskcheck: interrupted; what was finished is kept, run the same command with --resume to continue\n"
    )


def test_an_unknown_benchmark_lists_the_known_ones(tmp_path: Path):
    message = refused("eval", "--model", "tiny", "--benchmark", "cruxeval_o", cwd=tmp_path)
    assert "cruxeval_o" in message
    assert all(name in message for name in names("benchmark"))


def test_an_unknown_strategy_lists_the_known_ones(tmp_path: Path):
    message = refused("eval", "--model", "tiny", "--benchmark", "core", "--strategy", "dirct", cwd=tmp_path)
    assert "dirct" in message
    assert "did you mean 'direct'" in message


def test_eval_without_a_model_says_that_one_must_be_named(tmp_path: Path):
    assert "--model" in refused("eval", "--benchmark", "core", cwd=tmp_path)


def test_a_file_that_does_not_exist_is_named(tmp_path: Path):
    assert "nowhere.py" in refused("trace", "nowhere.py", "--call", "f(3)", cwd=tmp_path)


def test_a_file_that_does_not_parse_is_named_with_its_line(tmp_path: Path):
    (tmp_path / "broken.py").write_text("def f(n):\n    return n +\n")
    message = refused("trace", "broken.py", "--call", "f(3)", cwd=tmp_path)
    assert "broken.py" in message
    assert "2" in message


@pytest.mark.parametrize("call", ["g(3)", "f(", "f(3", "3"])
def test_a_call_that_cannot_be_made_is_quoted(program: Path, call: str):
    assert call.split("(")[0] in refused("trace", program.name, "--call", call, cwd=program.parent)


def test_a_folder_of_shards_that_is_not_one_is_named(tmp_path: Path):
    assert "empty" in refused("report", "empty", cwd=tmp_path)


@pytest.mark.parametrize("kind", sorted(FOLDERS))
def test_no_name_of_a_plug_in_is_private(kind: str):
    assert [name for name in names(kind) if name.startswith("-") or "_" in name] == []


def test_every_error_of_ours_stands_in_one_tree():
    ours = [v for v in vars(errors).values() if isinstance(v, type)]
    assert [e for e in ours if not issubclass(e, errors.DeskcheckError)] == []
    assert "[eval]'" in str(errors.MissingExtra("inspect_ai", "eval", "deskcheck eval"))
