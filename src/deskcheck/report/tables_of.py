"""Write the rows of the page's tables in words: shares by group, every step of a run, its cost.

every_step("line-1", run) -> {"steps": "81.2 % (..)", ..} or None,  cost("line-1", run) -> {"calls": "20", ..}
"""

from __future__ import annotations

import math
from typing import Any

from deskcheck.cell_files import is_withheld
from deskcheck.report import judged, numbers, spent, words
from deskcheck.report.coherence import Coherence
from deskcheck.report.horizons import Measured
from deskcheck.report.read import Run
from deskcheck.report.shortcuts import Gap
from deskcheck.statistics.summary import Interval, bounds_in_words

MOST = 3  # kinds of line in a row


def every_step(label: str, run: Run) -> dict[str, Any] | None:
    """Render the counts over all steps of one run; None if its strategy has no steps."""
    found = judged.of_run(run)
    if found is None:
        return None
    return {
        "label": label,
        "n": f"{found.n:,}",
        "source": found.source,
        "steps": bounded(found.steps),
        "programs": bounded(found.programs),
        "hard": _at(found.hard),
        "easy": _at(found.easy),
        "parts": [f"{name} {count:,}" for name, count in found.parts],
        "kinds": [f"{name} {wrong:,} of {n:,}" for name, wrong, n in found.kinds[:MOST] if wrong],
        "coherent": "{:,} of {:,}".format(*found.coherent) if found.coherent[1] else "",
        "inject_states": [f"{name} {count:,}" for name, count in found.after_plant],
    }


def cost(label: str, run: Run) -> dict[str, str]:
    """Render calls, tokens, time and money of one run."""
    found = spent.of_run(run)
    per = [
        f"{found.per_right(found.calls):,.1f} calls",
        said(found.per_right(found.tokens), "{:,.0f} tokens", "tokens not reported"),
        said(found.per_right(found.seconds), "{:,.1f} s", "seconds not reported"),
        said(found.per_right(found.dollars), "${:,.4f}", "cost unknown"),
    ]
    hidden = f" ({found.tokens_hidden:,.0f} hidden)" if found.tokens_hidden > 0 else ""
    return {
        "label": label,
        "calls": f"{found.calls:,}"
        + (f" ({found.n_silent:,} answers silent on cost)" if found.n_silent else ""),
        "tokens_in": said(found.tokens_in, "{:,.0f}", "not reported"),
        "tokens_out": said(found.tokens_out, "{:,.0f}", "not reported") + hidden,
        "seconds": said(found.seconds, "{:,.1f}", "not reported"),
        "dollars": said(found.dollars, "{:,.4f}", "unknown"),
        "per_right": ", ".join(per) if found.right else "none is right",
    }


def horizons(label: str, measured: list[Measured]) -> list[dict[str, Any]]:
    """Render horizon-50 and horizon-80 of one run, pooled and by family."""
    return [
        {
            "label": label,
            "name": one.name,
            "half": words.horizon(one.half),
            "most": words.horizon(one.most),
            "isotonic": words.step_bound(one.half.isotonic, one.half),
            "asked": f"{one.half.shortest:,} to {one.half.longest:,}",
            "n": _counted(one.half.n_programs, "program") + _families(one.half.n_families),
            "note": "; ".join(filter(None, (one.half.note, one.note))),
            "is_pooled": number == 0,
        }
        for number, one in enumerate(measured)
    ]


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _families(n: int) -> str:
    return f" of {n:,} families" if n > 1 else ""


def coherent(found: Coherence) -> dict[str, Any]:
    """Render the coherence of one model."""
    return {
        "model": found.model,
        "strategy": found.strategy,
        "benchmark": found.benchmark,
        "fit": bounded(found.fit),
        "n": f"{found.n:,}",
        "right": share(*found.right),
        "wrong": share(*found.wrong),
        "broken": [f"{rule} {bad:,} of {n:,}" for rule, bad, n in found.broken if bad],
    }


def gap(found: Gap) -> dict[str, str]:
    """Render the shortcut gap of one model."""
    difference = found.difference
    known = not math.isnan(difference.low)
    ends = f"{100 * difference.low:+.1f} to {100 * difference.high:+.1f}" if known else "no interval"
    return {
        "model": found.model,
        "benchmark": found.benchmark,
        "strategy": found.strategy,
        "question": found.question,
        "output": words.percent(found.output),
        "state": words.percent(found.state),
        "gap": f"{100 * difference.mean:+.1f} points, {ends}",
        "n": _counted(found.n_programs, "program"),
    }


def said(value: float, form: str, otherwise: str) -> str:
    """Write a number, or the other text if it is not known (negative)."""
    return form.format(value) if value >= 0 else otherwise


def share(right: int, n: int) -> str:
    """Write a share: "81.2 % of 340", or "none"."""
    return f"{words.percent(right / n)} of {n:,}" if n else "none"


def _at(found: tuple[Interval, int] | None) -> str:
    """Write a share with interval and number: "81.2 %, 70.0 to 88.9, of 340", or "none"."""
    return f"{bounded(found[0])}, of {found[1]:,}" if found else "none"


def bounded(found: Interval) -> str:
    """Write a mean with its interval; "*" marks an interval with a note."""
    if math.isnan(found.low):
        return f"{words.percent(found.mean)} (too few programs for an interval)"
    rough = " *" if found.note else ""
    return f"{words.percent(found.mean)}, {100 * found.low:.1f} to {100 * found.high:.1f}{rough}"


def groups(name: str, labels: list[str], shares: list[list[tuple[str, numbers.Share]]]) -> dict[str, Any]:
    """Render a table of shares with a row for each group and a column for each run."""
    found = [dict(points) for points in shares]
    order: list[str] = []
    for points in shares:
        order += [label for label, _ in points if label not in order]
    if name == "executed steps":
        order.sort(key=numbers.bin_order)
    rows = []
    for group in order:
        cells = [table.get(group) for table in found]
        rows.append({"group": group, "cells": [None if one is None else _share(one) for one in cells]})
    return {"name": name, "labels": labels, "rows": rows}


Split = tuple[str, numbers.Share, numbers.Share]
"""A construct, the programs with it, and those without."""


def constructs(labels: list[str], found: list[list[Split]]) -> dict[str, Any]:
    """Render a table with two rows for each construct: programs with it, and without it."""
    both = [
        [pair for name, yes, no in one for pair in ((f"with {name}", yes), (f"without {name}", no))]
        for one in found
    ]
    return groups("construct", labels, both)


def _ends(one: numbers.Share) -> str:
    """Write the interval, or the bounds if too many answers of the group are missing."""
    if is_withheld(one.missing, one.n + one.missing):
        return f"withheld, within {bounds_in_words(one.bounds)}"
    return f"{100 * one.low:.0f} to {100 * one.high:.0f}" if one.has_interval else "no interval"


def _share(one: numbers.Share) -> dict[str, Any]:
    return {
        "accuracy": words.percent(one.accuracy),
        "interval": _ends(one),
        "n": f"{one.n}, {one.missing} missing" if one.missing else str(one.n),
        "exploratory": one.exploratory,
    }
