"""What a run of the sandbox did, beside its results: what was grouped, run again, compared."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct, field


class Report(Struct, kw_only=True):
    """Counts of one run; `sandbox.run(.., report=..)` is given it at the end."""

    n_jobs: int = 0
    n_children: int = 0
    """Child processes; a job may have run in several."""
    n_zygotes: int = 0
    n_lost: int = 0
    """Zygotes that died or stopped answering."""
    n_alone: int = 0
    """Jobs that their caller wanted in a child of their own."""
    n_rerun: int = 0
    """Runs that were given up, or whose outcome did not count, and that were made again."""
    trips: dict[str, int] = field(default_factory=dict)
    """What a job left changed, so that its batch ended there -> how often."""
    n_audited: int = 0
    """Jobs that ran behind others and, chosen by their payload's hash, once more as the first of a child."""
    n_mismatched: int = 0
    """Of those, with one result in company and another one, the same twice, alone: a defect of ours."""
    n_unsteady: int = 0
    """Of those, with different results alone: the program itself differs from run to run."""
    mismatched: list[str] = field(default_factory=list)
    """Ids of the first jobs that mismatched."""

    def count_trip(self, names: list[str]) -> None:
        """Count a batch that ended early, by its reason."""
        counted = Counter(self.trips)
        counted.update(names)
        self.trips = dict(sorted(counted.items()))


def total(reports: list[Report]) -> Report | None:
    """The sums of several runs; None where there was none."""
    if not reports:
        return None
    counted: Counter[str] = Counter()
    for one in reports:
        counted.update(one.trips)
    numbers = [name for name in Report.__struct_fields__ if name.startswith("n_")]
    return Report(
        **{name: sum(getattr(one, name) for one in reports) for name in numbers},
        trips=dict(sorted(counted.items())),
        mismatched=[name for one in reports for name in one.mismatched],
    )
