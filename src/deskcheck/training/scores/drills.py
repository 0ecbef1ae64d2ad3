"""Score single steps from the true state by kind of drill, for the model card.

    drill_rows(model, "line-1") -> [DrillRow("strings joined", n=120, right=97, ..), ..]

The last rows are gates: shares that a model should reach before longer training pays. Their programs are
drawn in the same way as the drills, but are not trained on.

The drills are drawn from a separate seed. Calls, `return` lines (except for the last gate) and assignments of
a literal are not asked. Lines like these may also occur in training (`a = b + 3` has few forms). The scores
therefore show which operations the model has learned, not whether it generalizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from string import ascii_lowercase

from msgspec import Struct

from deskcheck import plugins
from deskcheck.corpus.expressions import STR, WORDS
from deskcheck.languages import part
from deskcheck.models.tiny import Request, TinyModel
from deskcheck.records import Program, Trace
from deskcheck.states.steps import head, steps
from deskcheck.states.tree import StateTree
from deskcheck.statistics.summary import clustered_interval, percent_ends
from deskcheck.training import drills
from deskcheck.training.scores.held_out import last_line

N_DRILLS = 30
"""Number of programs of each kind."""
MAX_TOKENS = 192
"""Token limit of an answer. The longest true line has 76 characters; `sub` writes operations before it."""


class DrillRow(Struct, frozen=True):
    """Score on one kind of line."""

    kind: str
    n: int
    right: int
    low: float
    high: float
    """95 % interval, clustered by program."""
    gate: float = 0.0
    """Share that must be right; 0 = no gate."""


def _as_list(w: drills.Drill) -> None:
    """gate: `list(s)`"""
    _of_text(w, WORDS, "list({})")


def _upper(w: drills.Drill) -> None:
    """gate: `s.upper()`"""
    _of_text(w, STR, "{}.upper()")


def _replaced(w: drills.Drill) -> None:
    """gate: `s.replace(a, b)`"""
    # A letter of some string in the program; otherwise nothing would be replaced.
    letters = [c for line in w.lines for c in line.partition(" = '")[2] if c in ascii_lowercase]
    _of_text(
        w,
        STR,
        f"{{}}.replace('{w.rng.choice(letters or ascii_lowercase)}', '{w.rng.choice(ascii_lowercase)}')",
    )


def _of_text(w: drills.Drill, kind: str, form: str) -> None:
    """Add a line with a new string literal, or with `form` applied to an existing string."""
    name = w.pick(STR)
    if name is None or w.rng.random() < 0.4:
        w.put(STR, w.literal(STR))
    else:
        w.put(kind, form.format(name))


RETURNED = "gate: a variable returned"
# Gates with the shares of right steps that they ask for; RETURN_GATE is that of RETURNED.
GATES: tuple[tuple[drills.Kind, float], ...] = ((_as_list, 0.9), (_upper, 0.9), (_replaced, 0.9))
RETURN_GATE = 0.95


def drill_rows(model: TinyModel, layout: str, *, n_drills: int = N_DRILLS) -> list[DrillRow]:
    """Score a model on each kind and gate, one row each; intervals are 95 %, clustered by program."""
    module = plugins.load("layout", layout)
    counts = getattr(module, "scored", last_line)
    asked: dict[str, list[_Asked]] = {}
    bars = {drills.title(kind): bar for kind, bar in GATES}
    for kind in [*(kind for kind, _ in drills.KINDS), *dict(GATES)]:
        title = drills.title(kind)
        asked[title] = []
        for number, (program, trace) in enumerate(_some(kind, n_drills)):
            top = head(layout, program)
            for at, line, question, truth in _lines(program, trace, module.body):
                if at == "@" and not line.startswith("return") and not _is_literal(line, program.language):
                    asked[title].append((number, top, question, truth))
                elif title in bars and at == "@" and line.startswith("return"):
                    questions = asked.setdefault(RETURNED, [])
                    questions.append((len(questions), top, question, truth))
    asked[RETURNED] = asked.pop(RETURNED, [])  # the last row
    bars[RETURNED] = RETURN_GATE
    # Asked together: the few questions of one kind would leave most of a batch empty.
    everything = [
        Request(top, question, MAX_TOKENS) for group in asked.values() for _, top, question, _ in group
    ]
    done = iter(model.generate(everything))
    rows = []
    for title, group in asked.items():
        right = [
            float(c.finish_reason == "stop" and counts(c.text) == truth)
            for (*_, truth), c in zip(group, done, strict=False)
        ]
        interval = clustered_interval(right, [number for number, *_ in group])
        rows.append(
            DrillRow(title, len(right), int(sum(right)), interval.low, interval.high, bars.get(title, 0.0))
        )
    return rows


_Asked = tuple[int, str, str, str]
"""Number of the program, head, question, true answer."""


def _some(kind: drills.Kind, n: int) -> Iterator[tuple[Program, Trace]]:
    """Draw the first `n` drills of a kind that keep within their bounds."""
    random = Random(f"scores of {kind.__name__}")
    while n:
        example = drills.drawn(random, kind)
        if example is not None:
            n -= 1
            yield example


def _lines(
    program: Program, trace: Trace, body: Callable[[StateTree, Program], str]
) -> Iterator[tuple[str, str, str, str]]:
    """Yield mark, text of the line, question and true answer of every step."""
    lines = program.source.split("\n")
    for before, step, _ in steps(trace):
        frame = before.frames[-1]
        yield frame.mark, lines[frame.line - 1].strip(), body(before, program), str(step)


def _is_literal(line: str, language: str) -> bool:
    """Whether the line has the form `name = literal`."""
    _, equals, value = line.partition(" = ")
    try:
        part(language, "plain")(value)
    except ValueError:
        return False
    return bool(equals)


def table(rows: list[DrillRow]) -> str:
    """Render the scores as a Markdown table."""
    lines = ["| lines | right | 95 % | n | asked for |", "|---|---|---|---|---|"]
    for row in rows:
        right = f"{100 * row.right / row.n:.1f} % | {percent_ends(row.low, row.high)}"
        lines.append(f"| {row.kind} | {right} | {row.n} | {f'{100 * row.gate:.0f} %' if row.gate else ''} |")
    return "\n".join(lines)
