"""A former option is answered by the line that takes its place, and none of them is an option today."""

from __future__ import annotations

import sys

import pytest
import typer

from deskcheck import cli
from deskcheck.cli.former import FORMER, in_place_of

COMMANDS = typer.main.get_group(cli.app).commands
EVERY = [(command, option) for command, options in FORMER.items() for option in options]


def options_of(command: str) -> set[str]:
    return {name for parameter in COMMANDS[command].params for name in parameter.opts}


@pytest.mark.parametrize(("command", "option"), EVERY)
def test_a_former_option_is_answered_in_one_line(
    command: str, option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    assert option not in options_of(command)
    monkeypatch.setattr(sys, "argv", ["deskcheck", command, option, "3"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    printed = capsys.readouterr().err
    assert ended.value.code == 2 and printed.count("\n") == 1
    assert f"has no option {option} any more; in its place: {in_place_of(command, option)}" in printed


@pytest.mark.parametrize(("command", "option"), EVERY)
def test_what_takes_its_place_is_there_today(command: str, option: str):
    words = in_place_of(command, option).replace(";", " ").replace(",", " ").split()
    typed = words[1] if words[0] == "deskcheck" else command
    known = options_of(command) | options_of(typed)
    assert {word for word in words if word.startswith("-") and word not in known} == set()


def test_an_option_that_never_was_is_refused_as_before():
    assert in_place_of("demo", "--nope") == "" == in_place_of("nope", "--out")
