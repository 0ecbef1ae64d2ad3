"""The error tree: failures of ours raise one of these; failures of foreign code are data.

    DeskcheckError          anything we raise on purpose; the command line prints it and exits with its code
      UserError             what was asked for cannot be done as asked
        UnknownName         a name that no plug-in, command or column has; the message lists the known ones
        MissingExtra        a library is absent; the message holds the line that installs it
        Unobtainable        a package, commit or file that could not be fetched: exit code 1
        NoResult            a run that did not return was asked for its result
        BadSource           a program, call or literal that does not parse or does not exist
      DataError             a file of ours or of a benchmark that is not what it should be
        CorruptShard        checksum, schema or manifest disagree
      NotResumable          this state cannot be executed on from its text; the reason says why
      SandboxUnavailable    the level that was required cannot be had on this machine

A message says what, the value, where, and what to do next:
"no benchmark called 'cruxeval_o'; known: core, cruxeval, long".
"""


class DeskcheckError(Exception):
    """Base of every error that deskcheck raises on purpose."""

    exit_code = 2
    """Of a command that ends with it."""


class UserError(DeskcheckError):
    """What was asked for cannot be done as asked."""


class UnknownName(UserError):
    """A name that nothing has; the message lists the known ones."""

    def __init__(self, kind: str, name: str, known: list[str]) -> None:
        import difflib

        close = difflib.get_close_matches(name, known, n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        what = f"no {kind} called '{name}'" if name else f"no {kind} named"
        super().__init__(f"{what}; known: {', '.join(sorted(known))}{hint}")


class MissingExtra(UserError):
    """A library that this command needs is not installed."""

    def __init__(self, library: str, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs the library '{library}', which is not installed; "
            f"install it with: pip install 'deskcheck[{extra}]'"
        )


class Unobtainable(UserError):
    """A package, commit or file that could not be fetched; how it was asked for is not at fault."""

    exit_code = 1


class NoResult(UserError):
    """A run that did not return has no result; the message says how it ended."""


class BadSource(UserError):
    """A program, call or literal that does not parse or does not exist."""


class DataError(DeskcheckError):
    """A data file that is not what it should be."""


class CorruptShard(DataError):
    """Checksum, schema or manifest of a shard disagree."""


class NotResumable(DeskcheckError):
    """This state cannot be executed on; the message says why."""


class SandboxUnavailable(DeskcheckError):
    """The containment level that was required cannot be had on this machine."""
