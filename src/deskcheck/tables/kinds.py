"""Find a kind of tables by its name; a study file names one in `tables`.

tables_as("code-executors", runs) -> [Table, ..]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deskcheck.errors import UnknownName
from deskcheck.report.read import Run
from deskcheck.tables.code_executors import code_executors, iip_forms, sizes
from deskcheck.tables.execution_tuning import execution_tuning
from deskcheck.tables.languages import languages
from deskcheck.tables.leaderboard import leaderboard
from deskcheck.tables.results import results
from deskcheck.tables.table import Table

KINDS: dict[str, Callable[[Sequence[Run]], list[Table]]] = {
    "results": results,
    "leaderboard": leaderboard,
    "code-executors": code_executors,
    "execution-tuning": execution_tuning,
    "iip-forms": iip_forms,
    "sizes": sizes,
    "languages": languages,
}


def check_kind(kind: str) -> None:
    """Raise UnknownName, which lists the known kinds, for an unknown kind of table."""
    if kind not in KINDS:
        raise UnknownName("kind of table", kind, list(KINDS))


def tables_as(kind: str, runs: Sequence[Run]) -> list[Table]:
    """Return the tables of one kind. UnknownName for an unknown kind."""
    check_kind(kind)
    return KINDS[kind](runs)
