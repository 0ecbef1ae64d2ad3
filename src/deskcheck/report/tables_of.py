"""Write the rows of a report's tables in words: shares by group, counts over all steps of a run, its cost.

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
        number_text(found.per_right(found.tokens), "{:,.0f} tokens", "tokens not reported"),
        number_text(found.per_right(found.seconds), "{:,.1f} s", "seconds not reported"),
        number_text(found.per_right(found.dollars), "${:,.4f}", "cost unknown"),
    ]
    hidden = f" ({found.tokens_hidden:,.0f} hidden)" if found.tokens_hidden > 0 else ""
    return {
        "label": label,
        "calls": f"{found.calls:,}"
        + (f" ({found.n_silent:,} answers silent on cost)" if found.n_silent else ""),
        "tokens_in": number_text(found.tokens_in, "{:,.0f}", "not reported"),
        "tokens_out": number_text(found.tokens_out, "{:,.0f}", "not reported") + hidden,
        "seconds": number_text(found.seconds, "{:,.1f}", "not reported"),
        "dollars": number_text(found.dollars, "{:,.4f}", "unknown"),
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


def coherent(coherence: Coherence) -> dict[str, Any]:
    """Render the coherence of one model."""
    return {
        "model": coherence.model,
        "strategy": coherence.strategy,
        "benchmark": coherence.benchmark,
        "fit": bounded(coherence.fit),
        "n": f"{coherence.n:,}",
        "right": share(*coherence.right),
        "wrong": share(*coherence.wrong),
        "broken": [f"{rule} {bad:,} of {n:,}" for rule, bad, n in coherence.broken if bad],
    }


def gap(shortcut: Gap) -> dict[str, str]:
    """Render the shortcut gap of one model."""
    difference = shortcut.difference
    known = not math.isnan(difference.low)
    ends = f"{100 * difference.low:+.1f} to {100 * difference.high:+.1f}" if known else "no interval"
    return {
        "model": shortcut.model,
        "benchmark": shortcut.benchmark,
        "strategy": shortcut.strategy,
        "question": shortcut.question,
        "output": words.percent(shortcut.output),
        "state": words.percent(shortcut.state),
        "gap": f"{100 * difference.mean:+.1f} points, {ends}",
        "n": _counted(shortcut.n_programs, "program"),
    }


def number_text(value: float, form: str, otherwise: str) -> str:
    """Write a number, or the other text if it is not known (negative)."""
    return form.format(value) if value >= 0 else otherwise


def share(right: int, n: int) -> str:
    """Write a share: "81.2 % of 340", or "none"."""
    return f"{words.percent(right / n)} of {n:,}" if n else "none"


def _at(interval: tuple[Interval, int] | None) -> str:
    """Write a share with interval and number: "81.2 %, 70.0 to 88.9, of 340", or "none"."""
    return f"{bounded(interval[0])}, of {interval[1]:,}" if interval else "none"


def bounded(interval: Interval) -> str:
    """Write a mean with its interval; "*" marks an interval with a note."""
    if math.isnan(interval.low):
        return f"{words.percent(interval.mean)} (too few programs for an interval)"
    rough = " *" if interval.note else ""
    return f"{words.percent(interval.mean)}, {100 * interval.low:.1f} to {100 * interval.high:.1f}{rough}"


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


def constructs(labels: list[str], splits: list[list[Split]]) -> dict[str, Any]:
    """Render a table with two rows for each construct: programs with it, and without it."""
    both = [
        [pair for name, yes, no in one for pair in ((f"with {name}", yes), (f"without {name}", no))]
        for one in splits
    ]
    return groups("construct", labels, both)


def _ends(share: numbers.Share) -> str:
    """Write the interval, or the bounds if too many answers of the group are missing."""
    if is_withheld(share.missing, share.n + share.missing):
        return f"withheld, within {bounds_in_words(share.bounds)}"
    return f"{100 * share.low:.0f} to {100 * share.high:.0f}" if share.has_interval else "no interval"


def _share(share: numbers.Share) -> dict[str, Any]:
    return {
        "accuracy": words.percent(share.accuracy),
        "interval": _ends(share),
        "n": f"{share.n}, {share.missing} missing" if share.missing else str(share.n),
        "exploratory": share.exploratory,
    }
