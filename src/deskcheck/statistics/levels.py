"""What form costs: the share of right answers at each extraction level, over the same replies.

levels_in_words([{"exact": "no answer", "usual": "right", "generous": "right"}, ..])
    -> ["right by extraction level: exact 47.5 %, usual 66.0 %, generous 66.2 % of 400 replies", ..]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping


def levels_in_words(replies: Iterable[Mapping[str, str]]) -> list[str]:
    """Two lines, or none where no reply was read at several levels."""
    right: Counter[str] = Counter()
    n_replies = n_form = 0
    for verdicts in replies:
        if not verdicts:
            continue
        n_replies += 1
        for level, verdict in verdicts.items():
            right[level] += verdict == "right"
        known = [*verdicts.values()]
        n_form += known[0] != "right" and known[-1] == "right"
    if not n_replies:
        return []
    shares = ", ".join(f"{name} {100 * n / n_replies:.1f} %" for name, n in right.items())
    lines = [f"right by extraction level: {shares} of {n_replies:,} replies"]
    if n_form:
        lines.append(f"{n_form:,} right answers do not keep the form that was asked for (not right at exact)")
    return lines
