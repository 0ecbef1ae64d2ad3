"""Answer a question about a recorded run that is given in words.

ask(run, "why total at step 17") -> Why
ask(run, "why total")               at the end of the variable's life
ask(run, "where n > 10")            -> Where
ask(run, "changes xs")              -> Changes
ask(run, "raised")                  -> Raises
"""

from __future__ import annotations

import re

from deskcheck.errors import UserError
from deskcheck.queries.answers import Answer
from deskcheck.queries.changes import changes
from deskcheck.queries.raised import raised
from deskcheck.queries.run import Run
from deskcheck.queries.where import where
from deskcheck.queries.why import why

FORMS = "why NAME [at step N], where CONDITION, changes NAME, raised"
_AT = re.compile(r"(.+?)\s+at\s+(?:step\s+)?(\d+)\s*")


def ask(run: Run, question: str) -> Answer:
    """Answer a question in one of the FORMS.

    UserError for any other text, and for a variable or a step that the run does not have.
    """
    word, _, rest = question.strip().rstrip("?").partition(" ")
    rest = rest.strip()
    if word == "raised" and not rest:
        return raised(run)
    if word == "why" and rest:
        match = _AT.fullmatch(rest)
        return why(run, match[1], int(match[2])) if match else why(run, rest)
    if word == "where" and rest:
        return where(run, rest)
    if word == "changes" and rest:
        return changes(run, rest)
    raise UserError(f"'{question}' is no question about a run; the questions: {FORMS}")
