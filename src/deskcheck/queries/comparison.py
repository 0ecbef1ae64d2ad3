"""Write the page that shows two runs side by side.

    comparison_page(run_a, run_b, diff(run_a, run_b)) -> "<!doctype html>.."

Source and state of each run are drawn by the parts of the step viewer. The page itself works out which steps
stand beside each other, from the lines that correspond and the number of corresponding pairs, and which
variables differ between them. The steps at which values and paths part come from `queries.diff`.
"""

from __future__ import annotations

import base64

import msgspec

from deskcheck.queries.answers import Difference
from deskcheck.queries.diff import line_pairs
from deskcheck.queries.run import Run
from deskcheck.tracing.program import make_program
from deskcheck.viewer.columns import compressed, shown_text
from deskcheck.viewer.document import View, data_of, rendered, shown_lines

_SCRIPTS = ("text", "theme", "data", "replay", "index", "values", "state", "source", "main", "diff")


def comparison_page(
    run_a: Run, run_b: Run, difference: Difference, *, names: tuple[str, str] = ("", "")
) -> str:
    """Return the whole HTML file of a comparison; the same runs give the same bytes.

    `names`: texts beside the letters A and B, such as file names.
    """
    views = [_view(run) for run in (run_a, run_b)]
    sources = [view.program.source for view in views]
    pairs = line_pairs(*sources)
    known = [sorted(pairs), sorted(pairs.values())]
    meta = difference.to_dict() | {"known": known, "names": [shown_text(name) for name in names]}
    return rendered(
        "diff.html",
        scripts=_SCRIPTS,
        styles=("page", "diff"),
        title=shown_text(" / ".join(dict.fromkeys(view.program.call for view in views)))[:120],
        answer=shown_lines("\n".join(difference.lines())),
        source_a=shown_lines(sources[0]),
        source_b=shown_lines(sources[1]),
        data_a=data_of(views[0]),
        data_b=data_of(views[1]),
        comparison=base64.b64encode(compressed([msgspec.json.encode(meta)])).decode("ascii"),
    )


def _view(run: Run) -> View:
    notes = [] if run.program else ["This run was saved without its program."]
    program = run.program or make_program("", "run", "", origin="python")
    return View(program, [run.trace], notes=notes)
