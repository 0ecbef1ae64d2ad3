"""The errors that deskcheck raises on purpose; exceptions of the programs that it runs are data instead.

    DeskcheckError          base of all; the command line prints the message and exits with the error's code
      UserError             a request that cannot be carried out as given
        UnknownName         a name that no plug-in, command or column has; the message lists the known ones
        MissingExtra        a library is absent; the message holds the command that installs it
        Unobtainable        a package, commit or file could not be fetched: exit code 1
        NoResult            there is no result, because the run did not return
        BadSource           a program, call or literal that does not parse or does not exist
      DataError             a file of ours or of a benchmark with unexpected contents
        CorruptShard        checksum, schema or manifest disagree
      NotResumable          execution cannot continue from this state; the reason is given
      SandboxUnavailable    this machine cannot provide the required containment level

A message gives the problem, the value, the place and the next action: "no benchmark called 'cruxeval_o';
known: core, cruxeval, long".
"""

from __future__ import annotations

import sys


class DeskcheckError(Exception):
    """Base of every error that deskcheck raises on purpose.

    >>> try:
    ...     deskcheck.load("nowhere.deskcheck")
    ... except deskcheck.DeskcheckError as error:
    ...     print(error)
    no such file: nowhere.deskcheck
    """

    exit_code = 2
    """Exit status of a command that ends with this error."""


class UserError(DeskcheckError):
    """Raised if a request cannot be carried out as given.

    >>> try:
    ...     deskcheck.load("nowhere.deskcheck")
    ... except deskcheck.UserError as error:
    ...     print(error)
    no such file: nowhere.deskcheck
    """


class UnknownName(UserError):
    """Raised for an unknown name; the message lists the known ones.

    `hint`: what is said if no known name is spelled like the unknown one.

    >>> try:
    ...     deskcheck.grade("4", expected=4, policy="strikt")
    ... except deskcheck.UnknownName as error:
    ...     print(error)
    no policy called 'strikt'; known: lenient, lenient:1e-9, published, strict; did you mean 'strict'?
    """

    def __init__(self, kind: str, name: str, known: list[str], *, hint: str = "") -> None:
        import difflib

        close = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean '{close[0]}'?" if close else hint
        what = f"no {kind} called '{name}'" if name else f"no {kind} named"
        super().__init__(f"{what}; known: {', '.join(sorted(known))}{'; ' * bool(hint)}{hint}")


class MissingExtra(UserError):
    """Raised if a library is not installed; the message has the command that installs it.

    >>> issubclass(deskcheck.MissingExtra, deskcheck.UserError)
    True
    """

    def __init__(self, library: str, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs the library '{library}', which is not installed; "
            f"install it with: {install_line(extra)}"
        )


def install_line(extra: str = "", *, python: str = sys.executable, is_again: bool = False) -> str:
    """Return the command that installs deskcheck with an extra, from the place of this installation.

    The place is the clone that this file lies in, or the folder or file that pip installed from; without one,
    the line has the name `deskcheck`. `is_again`: install anew, and build the C extension. `python`: the
    interpreter to install for.
    """
    # These load seventy modules of the standard library, so only this function imports them.
    import json
    import pathlib
    import shlex
    from importlib import metadata
    from urllib.parse import unquote, urlsplit

    source, option = "deskcheck", ""
    clone = pathlib.Path(__file__).parents[2]
    if (clone / "pyproject.toml").is_file():
        source, option = str(clone), "-e "
    else:
        try:
            origin = json.loads(metadata.distribution("deskcheck").read_text("direct_url.json") or "{}")
        except (metadata.PackageNotFoundError, ValueError):
            origin = {}
        path = unquote(urlsplit(origin.get("url", "")).path)
        source = path if path and pathlib.Path(path).exists() else source
    what = f"{source}[{extra}]" if extra else source
    option = f"--force-reinstall --no-deps --no-binary deskcheck {option}" if is_again else option
    return f"{shlex.quote(python)} -m pip install {option}{shlex.quote(what)}"


class Unobtainable(UserError):
    """Raised if a package, commit or file could not be fetched, though the request was valid."""

    exit_code = 1


class NoResult(UserError):
    """Raised on reading the result of a run that did not return; the message says how the run ended.

    >>> def first(xs):
    ...     return xs[0]
    >>> try:
    ...     deskcheck.trace(first, []).result
    ... except deskcheck.NoResult as error:
    ...     print(str(error).partition(":")[0])
    first([]) has no result
    """


class BadSource(UserError):
    """Raised for a program, call or literal that does not parse or does not exist.

    >>> try:
    ...     deskcheck.trace_file("nowhere.py", call="f(3)")
    ... except deskcheck.BadSource as error:
    ...     print(str(error).partition(";")[0])
    no such file: nowhere.py
    """


class DataError(DeskcheckError):
    """Raised for a data file with unexpected contents.

    >>> try:
    ...     deskcheck.grade("4", expected="four")
    ... except deskcheck.DataError as error:
    ...     print(type(error).__name__)
    DataError
    """


class CorruptShard(DataError):
    """Raised if checksum, schema or manifest of a shard disagree.

    >>> issubclass(deskcheck.CorruptShard, deskcheck.DataError)
    True
    """


class NotResumable(DeskcheckError):
    """Raised if execution cannot continue from a state; the message says why."""


class SandboxUnavailable(DeskcheckError):
    """Raised if this machine cannot provide the required containment level."""
