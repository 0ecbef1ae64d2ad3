"""Parts that all commands share: the grouped help, common options, messages and exit codes.

Exit codes: 0 done · 1 finished, but something failed or was never asked · 2 usage · 70 our own fault ·
130 Ctrl-C. `trace` ends with the code of the program: `recording.exit_code`.
"""

from __future__ import annotations

import codecs
import errno
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import PurePath
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from deskcheck.cli.examples import COMMON, EXAMPLES, GROUPS
from deskcheck.errors import DeskcheckError, MissingExtra, UnknownName, UserError

OUR_FAULT, INTERRUPTED = 70, 130


VALUES = {
    "out": "PATH", "json_file": "FILE", "json": "FILE", "report": "FILE", "picture": "FILE",
    "log_dir": "FOLDER", "figures": "FOLDER", "data": "PATH", "calls": "FILE", "stdin": "FILE",
    "more": "FILE", "base_url": "URL", "code": "CODE", "form": "FORMAT",
}  # fmt: skip
"""Name of a parameter -> word for its value in the help; a number is "N", others have the option's name."""


def help_row(parameter: Any) -> tuple[str, str]:
    """Return the two columns of an argument or option in the help: its form when typed, and its meaning."""
    text = " ".join(str(parameter.help or "").split())
    if parameter.param_type_name == "argument":
        return str(parameter.name).upper() + "..." * (parameter.nargs == -1), text
    names = ", ".join([*parameter.opts, *parameter.secondary_opts])
    if not parameter.is_flag:
        names += f" {_value_word(parameter, text)}"
    default = parameter.default
    is_shown = bool(default) and not parameter.is_flag and not callable(default)
    return names, text + f" [default: {default}]" * is_shown + " [required]" * parameter.required


def _value_word(parameter: Any, text: str) -> str:
    if found := re.search(r"(key|NAME)=(value|VALUE)", text):
        return str(found[0]).upper()
    kind = getattr(parameter, "type_descriptor", None) or parameter.type  # of new typer, of old typer
    if re.search("int|float", str(getattr(kind, "annotation", kind)).lower()):
        return "N"
    own = max(parameter.opts, key=len).strip("-").replace("-", "_").upper()
    return VALUES.get(parameter.name, str(own))


class Command(TyperCommand):
    """A command whose help ends with examples and names the values of options by the words of VALUES."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        shown = [one for one in self.get_params(ctx) if not getattr(one, "hidden", False)]
        for title, kind in (("Arguments", "argument"), ("Options", "option")):
            rows = [help_row(one) for one in shown if one.param_type_name == kind]
            rows += OF_RUNS if kind == "option" and self.name in RUNNING else []
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)
        if rows := names_of(self.name or ""):
            with formatter.section("Names"):
                for kind, names in rows:
                    formatter.write(wrapped(f"{kind}: {names}", width=formatter.width))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        found = [one for one in self.get_params(ctx) if one.param_type_name == "argument"]
        names = [(help_row(one)[0], one.required) for one in found]
        return ["[OPTIONS]", *(name if required else f"[{name}]" for name, required in names)]

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Examples"):
            for line in EXAMPLES.get(self.name or "", []):
                formatter.write(f"  {line}\n")

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with usage_in_our_words(self.name or "", args):
            return super().parse_args(ctx, without_words_of_runs(self.name or "", args))

    def get_params(self, ctx: Any) -> list[Any]:
        return [with_names(lightly_coerced(parameter)) for parameter in super().get_params(ctx)]


HIDES_SECRETS, SHOWS_SECRETS, OTHER_PYTHON = "--redact", "--no-redact", "--python"
RUNNING = ("trace", "view", "ask", "diff", "explain", "mcp", "execute")
"""Commands that show or store the run of a program, and hide its secrets."""
OF_RUNS = [
    (f"{HIDES_SECRETS}, {SHOWS_SECRETS}", "Hide passwords, tokens and keys, as by default, or show them."),
    (f"{OTHER_PYTHON} PATH", "Run under this Python: an interpreter or a virtual environment's folder."),
]
"""Options that each command of RUNNING takes beside its own, as the two columns of the help."""
_redacting = {"is_on": True}  # set for each command by `without_words_of_runs`


def without_words_of_runs(command: str, args: list[str]) -> list[str]:
    """Remove the options of OF_RUNS from the typed words of a command that runs programs, and apply them.

    With `--python` the command begins anew in another interpreter, and this call does not return.
    """
    _redacting["is_on"] = True
    own = args.index("--") if "--" in args else len(args)
    words, rest = args[:own], args[own:]
    if command not in RUNNING:
        return args
    calls = list(_given("--call", words))
    if len(calls) > (most := 2 if command == "diff" else 1):
        raise UserError(f"--call is given {len(calls)} times; {command} takes {most}")
    if "" in map(str.strip, calls):
        raise UserError("--call is empty: name a call, 'f(3)', or leave the option out")
    for path in _given(OTHER_PYTHON, words):
        from deskcheck.environments import run_under

        at = next(at for at, word in enumerate(words) if word.partition("=")[0] == OTHER_PYTHON)
        left = words[:at] + words[at + 1 + ("=" not in words[at]) :]
        run_under(path, [command, *left, *rest])
    said = [word for word in words if word in (HIDES_SECRETS, SHOWS_SECRETS)]
    _redacting["is_on"] = said[-1:] != [SHOWS_SECRETS]
    return [word for word in words if word not in said] + rest


def is_redacted() -> bool:
    """Whether secrets are hidden in what this command shows and stores: unless it was given `--no-redact`."""
    return _redacting["is_on"]


PLUG_INS = {"model": "model", "benchmark": "benchmark", "strategy": "strategy", "task": "question"}
"""Name of a parameter -> kind of plug-in whose names the shell offers as completions."""


NAMED = {
    "eval": ("model", "benchmark", "strategy", "question"),
    "grade": ("benchmark", "question", "importer"),
    "study": ("model", "benchmark"),
    "train": ("layout",),
    "data": ("layout",),
}
"""Command -> kinds of plug-in whose names end its help."""


def wrapped(text: str, *, width: int) -> str:
    """Break a list of names into indented lines, but no name at its hyphens."""
    import textwrap

    lines = textwrap.wrap(text, width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
    return "\n".join([*lines, ""])


def names_of(command: str) -> list[tuple[str, str]]:
    """Return a row of the help for each kind of plug-in that a command takes by name: the kind, all names."""
    from deskcheck import plugins

    return [(kind, ", ".join(plugins.listed(kind))) for kind in NAMED.get(command, ())]


def with_names(parameter: Any) -> Any:
    """Return the same option, with the names of its plug-ins as completions in the shell."""
    if kind := PLUG_INS.get(parameter.name):

        def names(ctx: Any, param: Any, incomplete: str) -> list[str]:
            from deskcheck import plugins

            return [name for name in plugins.listed(kind) if name.startswith(incomplete)]

        parameter._custom_shell_complete = names
    return parameter


class Coercion:
    """Conversion of one option's values, which loads pydantic only if a value has another type."""

    def __init__(self, parameter: Any) -> None:
        self._of_typer = parameter.get_runtime_param
        self._kind = parameter.type_descriptor.annotation

    def __call__(self) -> Coercion:
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value in the type of its parameter. typer's own error if it cannot be converted."""
        if type(value) is self._kind:
            return value
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if self._kind == list[str] and type(value) in (list, tuple) and {*map(type, value)} <= {str}:
            return [*value]
        return self._of_typer().coerce(value, param=param, ctx=ctx)


def lightly_coerced(parameter: Any) -> Any:
    """Return the option, with `Coercion` for its values; options of old typer versions stay unchanged."""
    if hasattr(parameter, "get_runtime_param") and "get_runtime_param" not in vars(parameter):
        parameter.get_runtime_param = Coercion(parameter)
    return parameter


COMMON_AND_OTHERS = tuple(name for names in GROUPS.values() for name in names)


class Commands(TyperGroup):
    """All commands; the help groups the common ones by purpose, `--help --all` every one.

    The error for an unknown command lists the known ones.
    """

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        if command is None:
            unknown = UnknownName("command", cmd_name, self.list_commands(ctx))
            raise UserError(f"{unknown}; `deskcheck -h` says what each does")
        return command

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if "--all" in args and {*args} <= {"-h", "--help", "--all"}:
            ctx.obj, args = COMMON_AND_OTHERS, ["--help"]
        with usage_in_our_words("", args):
            return super().parse_args(ctx, args)

    def get_params(self, ctx: Any) -> list[Any]:
        return [lightly_coerced(parameter) for parameter in super().get_params(ctx)]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        listed = COMMON_AND_OTHERS if ctx.obj == COMMON_AND_OTHERS else COMMON
        for group, names in GROUPS.items():
            if rows := [(name, _summary(self.get_command(ctx, name))) for name in names if name in listed]:
                with formatter.section(group):
                    formatter.write_dl(rows)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        formatter.write("\n`deskcheck COMMAND -h` shows the options of a command, with examples.\n")
        if ctx.obj != COMMON_AND_OTHERS:
            others = [name for name in COMMON_AND_OTHERS if name not in COMMON]
            formatter.write(f"`deskcheck --help --all` lists {len(others)} more: {', '.join(others)}.\n")

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            again = "run the same command again to continue"
            if ctx.invoked_subcommand == "train":  # without --resume it refuses an existing run
                again = "run the same command with --resume to continue"
            print(f"deskcheck: interrupted; what was finished is kept, {again}", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None


def _summary(command: Any) -> str:
    """Return the first paragraph of a command's help on one line."""
    return str(command.help or "").split("\n\n")[0].replace("\n", " ").strip()


@contextmanager
def usage_in_our_words(command: str, args: Sequence[str] = ()) -> Iterator[None]:
    """Turn errors of usage into UserError, whose message has the option, its value and a remedy."""
    typed = list(args)  # the parser empties the list
    try:
        yield
    except Exception as error:
        # The class is compared by name: versions of typer raise it from different copies of click.
        kinds = {kind.__name__ for kind in type(error).__mro__}
        if "UsageError" not in kinds or "NoArgsIsHelpError" in kinds:
            raise
        raise UserError(_usage_text(error, command, typed)) from None


def _usage_text(error: Any, command: str, args: Sequence[str]) -> str:
    asked = f"deskcheck {command}".strip()
    parameter = getattr(error, "param", None)
    if type(error).__name__ == "MissingParameter" and parameter is not None:
        names = [*getattr(parameter, "opts", [])] if parameter.param_type_name == "option" else []
        name = max(names, key=len) if names else str(parameter.name).upper()
        example = EXAMPLES.get(command, [f"{asked} -h"])[0]
        return f"{asked} needs {name}: {getattr(parameter, 'help', '') or 'see -h'} For example: {example}"
    message = str(error.format_message()).strip().rstrip(".")
    value = next((given for name in getattr(parameter, "opts", []) for given in _given(name, args)), None)
    if parameter is not None and value is not None and "invalid value" in message.lower():
        reason = _reason(message.partition(": ")[2])
        return f"{asked}: {max(parameter.opts, key=len)} {value}: {reason}; {asked} -h lists what it takes"
    if found := re.fullmatch(r"Got unexpected extra arguments? *\((.*)\)", message.replace("(s)", "s")):
        example = f"; for example: {EXAMPLES[command][0]}" if command in EXAMPLES else ""
        return f"{asked} takes no argument {found[1]!r} here; {asked} -h lists what it takes{example}"
    if message.startswith("No such option: --task") and command in ("eval", "prompts", "grade"):
        message = (
            f"{message.partition(' Did')[0].rstrip('.')}; --benchmark names the tasks, --task their question"
        )
    return f"{asked}: {message[:1].lower()}{message[1:]}; {asked} -h lists what it takes"


def _reason(message: str) -> str:
    """Return the reason why an option's value is refused, reworded where the message is pydantic's."""
    if found := re.search(r"should be greater than( or equal to)? (\S+)", message):
        return f"at least {found[2]}" if found[1] else f"more than {found[2]}"
    if "valid integer" in message:
        return "a whole number is needed"
    return "a number is needed" if "valid number" in message else message


def _given(option: str, args: Sequence[str]) -> Iterator[str]:
    """Yield the values that were typed for an option: "--n 3" and "--n=3"."""
    for at, word in enumerate(args):
        if word == option and at + 1 < len(args):
            yield args[at + 1]
        elif word.startswith(f"{option}="):
            yield word.partition("=")[2]


def prepare_streams() -> None:
    """Let every command write to standard output and error, whatever they are.

    A closed stream becomes the null device. A character that the encoding of standard output lacks is written
    as the escape that JSON has for it.
    """
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8", closefd=False))
    if isinstance(sys.stdout, TextIOWrapper):
        codecs.register_error("escaped", _escaped)
        sys.stdout.reconfigure(errors="escaped")


def _escaped(error: UnicodeError) -> tuple[str, int]:
    import json

    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def run(app: Callable[[], None]) -> None:
    """Run a command and exit.

    Refused input, a missing extra and an error of the file system are reported in one line. Any other error
    is a defect of deskcheck.
    """
    try:
        app()
    except DeskcheckError as error:
        # An evaluation that had to stop hands on the error of the file system as text.
        found = re.search(r"OSError\((\d+), '(.*)'\)$", str(error))
        if found and int(found[1]) in _DISK:
            before = str(error)[: found.start()]
            _refuse(DeskcheckError(before + _system_text(OSError(int(found[1]), found[2]))))
        _refuse(error)
    except ModuleNotFoundError as error:
        from deskcheck.doctor import extra_of

        library = error.name or ""
        if not extra_of(library):
            _own_fault()
        _refuse(MissingExtra(library, extra_of(library), " ".join(sys.argv[1:2])))
    except OSError as error:
        if error.errno not in _DISK and not _typed_place(error):
            _own_fault()
        _refuse(DeskcheckError(_system_text(error)))
    except Exception:
        _own_fault()


# Errors of the file system that are no defects of deskcheck.
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_DISK = _FULL | {
    errno.EACCES, errno.EPERM, errno.EROFS, errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENAMETOOLONG,
    errno.ELOOP, errno.EMFILE, errno.EIO,
}  # fmt: skip
# Options that name a place to write.
_PLACES = ("--out", "--log-dir", "--json", "--report")
_FREE = "free some space there, or name another place, and run the command again"
_RENAME = "name another file or folder, or change the existing one"


def _system_text(error: OSError) -> str:
    """Return what the system said of a file or place, and what to do."""
    named = (value for option in _PLACES for value in _given(option, sys.argv))
    place = error.filename2 or error.filename or next(named, "")
    told = f"{place}: {error.strerror}" if place else str(error.strerror)
    after = _FREE if error.errno in _FULL else _RENAME
    return f"{told}; what was finished before is kept; {after}"


def _typed_place(error: OSError) -> bool:
    """Whether the file that an operation failed for lies on the way to, or under, a place that was typed."""
    if not isinstance(error.filename, str):
        return False
    failed = PurePath(os.path.abspath(error.filename))
    values = (PurePath(os.path.abspath(word.partition("=")[2] or word)) for word in sys.argv[1:] if word)
    return any(failed.is_relative_to(typed) or typed.is_relative_to(failed) for typed in values)


def _refuse(error: DeskcheckError) -> NoReturn:
    print(f"deskcheck: {error}", file=sys.stderr)
    raise SystemExit(error.exit_code) from None


def _own_fault() -> NoReturn:
    """Print the traceback of a defect of deskcheck and a request to report it; exit with OUR_FAULT."""
    traceback.print_exc()
    print(
        "deskcheck: this is deskcheck's own fault; please report it with the lines above",
        file=sys.stderr,
    )
    raise SystemExit(OUR_FAULT) from None


TRUSTED = "i-trust-this-code"
Require = Annotated[
    str,
    typer.Option(
        help="Fail if the sandbox is weaker than this: full, kernel, seccomp or limits. "
        f"{TRUSTED} also runs untrusted code at level limits."
    ),
]
Confirm = Annotated[
    bool,
    typer.Option(
        help="Trace every program twice in separate processes; say whether the traces are identical."
    ),
]
Policy = Annotated[
    str, typer.Option(help="Comparison of answers: strict, lenient, lenient:1e-9 or published.")
]
Filters = Annotated[
    list[str] | None,
    typer.Option(help="Only tasks with NAME=VALUE, NAME~PART, steps<100, id=A,B; repeatable."),
]
WordingOption = Annotated[
    str,
    typer.Option(
        help="Ask in the words of this file ({code}, {call}, {form}), or as published: cruxeval-cot."
    ),
]
Options = Annotated[list[str] | None, typer.Option("-T", help="key=value for the benchmark; repeatable.")]


def counted_tasks(*names: str, **options: Any) -> Any:
    """Make a benchmark's tasks by executing its programs; a terminal shows how many have run."""
    from deskcheck.evaluation.truth import build_tasks
    from deskcheck.pace import CountLine

    line = CountLine("programs")
    try:
        return build_tasks(*names, **options, after_draft=line.count)
    finally:
        line.end()


def contain(require: str) -> str:
    """Return the level of --require; SandboxUnavailable if this machine is below it.

    Later runs use the strongest level that the machine has. With TRUSTED they accept any.
    """
    from deskcheck.sandbox import containment

    if require == TRUSTED:
        containment.trust_this_code()
        return "limits"
    containment.check(require)
    return require


def end(rows: Sequence[Any], *, again: str = "the command that asked for them goes on") -> None:
    """Print how many answers of these rows are missing, and exit with code 1 if any is.

    `again` ends the printed line; it names the command that asks for the missing answers.
    """
    from deskcheck.statistics.summary import closing

    if missing := closing(rows, again=again):
        print(missing)
        raise typer.Exit(1)


def say(text: str) -> None:
    """Print a line of a long run, which goes on if nothing reads it any more, as when Ctrl-C ends `tee`."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
        with suppress(OSError):  # stderr may have had the same reader
            print("deskcheck: nothing reads the output any more; the run goes on without it", file=sys.stderr)


def say_containment(source: str) -> None:
    """Print how a program named by the user was contained, if the containment level is below `full`."""
    from deskcheck.sandbox import containment

    line = containment.admit("named", source)
    if containment.find().level != "full":
        print(line, file=sys.stderr)


def _print_version(wanted: bool) -> None:
    if wanted:
        from deskcheck import __version__

        print(f"deskcheck {__version__}")
        raise typer.Exit


def root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Take the options that stand before a command."""
