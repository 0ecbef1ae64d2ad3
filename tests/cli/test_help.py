"""The help: every command in one group, with examples that parse."""

from __future__ import annotations

import re
import shlex

import pytest
from typer.testing import CliRunner

from deskcheck import cli, plugins
from deskcheck.cli.examples import COMMON, EXAMPLES, GROUPS
from deskcheck.cli.shell import NAMED

COMMANDS = sorted(name for names in GROUPS.values() for name in names)


def test_every_command_is_in_one_group_and_has_an_example():
    registered = sorted(
        command.name or command.callback.__name__  # type: ignore[union-attr]
        for command in cli.app.registered_commands
    )
    assert registered == COMMANDS == sorted(EXAMPLES)
    assert all(EXAMPLES.values())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_ends_with_its_examples(name: str):
    shown = CliRunner().invoke(cli.app, [name, "-h"]).stdout
    assert all(example in shown for example in EXAMPLES[name])


@pytest.mark.parametrize("name", COMMANDS)
def test_the_options_of_an_example_exist(name: str):
    shown = CliRunner().invoke(cli.app, [name, "-h"]).stdout
    for example in EXAMPLES[name]:
        words = shlex.split(example.split(" -- ")[0].split(" < ")[0])
        assert words[:2] == ["deskcheck", name]
        assert [word for word in words[2:] if word.startswith("-") and f"{word} " not in shown] == []


def listed(*words: str) -> list[str]:
    """Commands that a help lists, in its order."""
    shown = CliRunner().invoke(cli.app, [*words]).stdout
    assert "..." not in shown.split("\n", 1)[1]
    return re.findall(r"^  ([a-z]+)  +[A-Z]", shown.partition("-h, --help")[2], re.M)


@pytest.mark.parametrize("words", [["--help", "--all"], ["-h", "--all"], ["--all"]])
def test_the_list_of_all_commands_shows_whole_sentences_by_group(words: list[str]):
    shown = CliRunner().invoke(cli.app, words).stdout
    assert all(f"{group}:" in shown for group in GROUPS)
    assert sorted(listed(*words)) == COMMANDS


def test_the_help_lists_ten_commands_and_names_the_others():
    assert sorted(listed("--help")) == sorted(COMMON) and len(COMMON) == 10
    end = CliRunner().invoke(cli.app, ["--help"]).stdout.split("--help --all")[1]
    assert all(name in end for name in COMMANDS if name not in COMMON)


@pytest.mark.parametrize(("name", "kinds"), NAMED.items())
def test_a_help_names_all_plug_ins_that_the_command_takes(name: str, kinds: tuple[str, ...]):
    shown = CliRunner().invoke(cli.app, [name, "-h"]).stdout.partition("Names:")[2]
    assert kinds and all(known in shown for kind in kinds for known in plugins.listed(kind))


def test_the_version_is_an_option():
    from deskcheck import __version__

    assert CliRunner().invoke(cli.app, ["--version"]).stdout == f"deskcheck {__version__}\n"


def test_the_list_made_without_options_is_that_of_the_whole_command_line():
    whole = CliRunner().invoke(cli.app, ["--help"]).stdout
    assert CliRunner().invoke(cli.app_of(cli.COMMANDS, listed=True), ["--help"]).stdout == whole


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_names_no_type_of_ours(name: str):
    shown = CliRunner().invoke(cli.app, [name, "-h"]).stdout
    assert not re.search(
        r"<\w+|list\[|\bint\b|\bstr\b|\| None", shown.split("Examples:")[0].replace("<100", "")
    )
    assert f"deskcheck {name} -h" not in shown and "Usage: deskcheck " in shown
