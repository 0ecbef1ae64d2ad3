"""Shell completion: commands, options and names, through the script that each shell is given."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ASKED = [
    (["deskcheck", "tr"], {"trace", "train"}),
    (["deskcheck", "eval", "--mod"], {"--model"}),
    (["deskcheck", "eval", "--model", "ti"], {"tiny"}),
    (["deskcheck", "eval", "--benchmark", "cruxeval-"], {"cruxeval-x"}),
    (["deskcheck", "prompts", "--strategy", "iip-s"], {"iip-single", "iip-static"}),
]
"""What is typed so far -> what the shell offers."""
BASH = """
source <(deskcheck --show-completion bash)
COMP_WORDS=("$@"); COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
_deskcheck_completion deskcheck; printf '%s\\n' "${COMPREPLY[@]}"
"""
FISH = "deskcheck --show-completion fish | source; complete --do-complete (string join -- ' ' $argv)"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment whose PATH has the command `deskcheck` of this interpreter."""
    command = tmp_path / "deskcheck"
    command.write_text(
        f"#!{sys.executable}\nimport sys\nfrom deskcheck.cli import main\nsys.argv[0] = 'deskcheck'\nmain()\n"
    )
    command.chmod(0o755)
    kept = {name: text for name, text in os.environ.items() if not name.startswith("_")}
    by_name = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}  # the shell is named, not found out
    return {**kept, **by_name, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}


def offered(command: list[str], environment: dict[str, str]) -> set[str]:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == "", done.stderr
    return {line.split("\t")[0] for line in done.stdout.splitlines() if line}


@pytest.mark.parametrize(
    ("typed", "names"),
    ASKED,
    ids=lambda given: " ".join(sorted(given) if isinstance(given, set) else given)[-20:],
)
def test_bash_offers_what_can_stand_there(typed: list[str], names: set[str], environment: dict[str, str]):
    assert offered(["bash", "-c", BASH, "bash", *typed], environment) == names


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_script_for_another_shell_asks_the_same(shell: str, environment: dict[str, str]):
    """Without that shell: its script calls the command with these variables."""
    typed = "deskcheck eval --model ti"
    asked = {"_DESKCHECK_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_ARGS": typed}
    action = {"_TYPER_COMPLETE_FISH_ACTION": "get-args"} if shell == "fish" else {}
    script = subprocess.run(
        ["deskcheck", "--show-completion", shell], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert all(name in script for name in (*asked, *action)), script
    done = subprocess.run(
        ["deskcheck"], env={**environment, **asked, **action}, capture_output=True, text=True, check=True
    )
    assert "tiny" in done.stdout and "trace" not in done.stdout


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_fish_itself_offers_what_can_stand_there(environment: dict[str, str]):
    for typed, names in ASKED:
        assert offered(["fish", "--no-config", "-c", FISH, *typed], environment) == names
