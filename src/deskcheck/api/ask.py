"""Questions to a recorded run, as methods: `trace.ask.why("total", step=17)`."""

from __future__ import annotations

from collections.abc import Callable

from deskcheck.queries.answers import Answer, Changes, Raises, Where, Why
from deskcheck.queries.ask import ask
from deskcheck.queries.changes import changes
from deskcheck.queries.raised import raised
from deskcheck.queries.run import Run
from deskcheck.queries.where import where
from deskcheck.queries.why import why


class Ask:
    """Questions to one run. The value of `Trace.ask`.

    Each answer has `to_dict()` and `to_json()`, and `print` shows it. Nothing runs code of the program.
    Conditions see the exact values; the texts of answers hide passwords, tokens and keys. Each method raises
    UserError if the run has no such variable or step, or if the question cannot be read.

    >>> def total(xs):
    ...     result = 0
    ...     for x in xs:
    ...         result += x
    ...     return result
    >>> t = deskcheck.trace(total, [2, 3])
    >>> t.ask.why("result").link.value, t.ask.where("result > 1").n
    ('5', 4)
    """

    def __init__(self, run: Run, *, hide: Callable[[str], str]) -> None:
        """`hide`: function of a text that returns it without secrets."""
        self._run, self._hide = run, hide

    def __call__(self, question: str) -> Answer:
        """Answer a question in words: "why total at step 17", "where n > 10", "changes xs", "raised"."""
        return ask(self._run, question).with_texts(self._hide)

    def why(self, name: str, *, step: int = 0) -> Why:
        """Return the chain of writes that made a value: of a variable, `xs[0]`, `node.next`, `table['k']`.

        The value is that before `step`; 0 is the end of the variable's life.
        """
        return why(self._run, name, step).with_texts(self._hide)

    def where(self, condition: str, *, most: int = 20) -> Where:
        """Return the first `most` steps before which a condition holds, and the number of all of them."""
        return where(self._run, condition, most).with_texts(self._hide)

    def changes(self, name: str, *, most: int = 50) -> Changes:
        """Return the first `most` changes of a variable, also those in place, and the number of all."""
        return changes(self._run, name, most).with_texts(self._hide)

    def raised(self, *, most: int = 20) -> Raises:
        """Return the first `most` exceptions, the values on the raising line, and where each was caught."""
        return raised(self._run, most).with_texts(self._hide)

    def __repr__(self) -> str:
        return "<questions: why(name), where(condition), changes(name), raised()>"
