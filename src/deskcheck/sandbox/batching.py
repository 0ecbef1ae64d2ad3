"""Jobs that share a child: which go together, whether company changed a result, and the counts of a run.

    plan = Plan(batch=32, workers=2); plan.add(task); plan.take() -> [task, ..]
    audit = Audit(report)
    company = audit.begin(tasks)       a batch goes to its child
    again, alone = audit.take(done)    results have come: tasks to run again at the head of a batch, and alone
    company.has_ended = True           the child is gone
    audit.release() -> results that are certain

Those that wait go into one child in order, as many as are worth it. A batch has jobs of one function and one
set of limits. A job that wants to be alone, or that must be run again alone, is a batch of its own. Slow jobs
make small batches: what one trip or crash costs stays small.
A job whose result is compared runs again at the head of a batch: nothing has run in its child by then, what
comes after it cannot reach a frame that has gone, and it costs no child of its own.

One job in `AUDIT_EVERY`, by its payload's hash, runs once more, and results are held till then. Where that
gives something else, it runs twice more, each time in a child of its own, the second time with its objects at
other addresses. Results that differ alone: the job is nondeterministic and has no result; so is one that
starts threads, whose turns are not the same twice, however often they were. Equal alone, but different in
company: a defect of ours, and no result of that company counts.
"""

from __future__ import annotations

import zlib
from collections import Counter, deque

from msgspec import Struct, field
from msgspec.structs import replace

from deskcheck.records import JobFailed, JobResult, Rejected
from deskcheck.records.job import COMPANY, NONDETERMINISTIC, NOT_ALONE
from deskcheck.sandbox.running import Company, Result, Task


class Report(Struct, kw_only=True):
    """Counts of one run; `containment.run(.., report=..)` is given it at the end."""

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


# A batch shall take about this long at most, by the mean of what ran so far.
BATCH_S = 0.5
# Payloads of a batch together, at most: its child holds what it prepares of them all at once.
BATCH_BYTES = 1 << 20
# A batch with a job at its head that is compared is not made smaller than this to give others a head.
HEADED = 32
# Weight of the newest batch in that mean.
WEIGHT = 0.2
# One in so many jobs that ran behind others runs again, as the first of a child.
AUDIT_EVERY = 100


def is_audited(payload: bytes) -> bool:
    """Whether a job with this payload is one of those that run twice; the same in every run."""
    return zlib.crc32(payload) % AUDIT_EVERY == 0


def _go_together(one: Task, other: Task) -> bool:
    return one.job.function == other.job.function and one.job.limits == other.job.limits


class Plan:
    """Jobs that wait, and how to batch them."""

    def __init__(self, *, batch: int, workers: int) -> None:
        self._batch = batch
        self._workers = workers
        self._company: deque[Task] = deque()
        self._alone: deque[Task] = deque()
        self._again: deque[Task] = deque()
        """Jobs that are compared: each is to be the first of a child, where nothing has run before it."""
        self._mean_s = 0.0

    def __len__(self) -> int:
        return len(self._company) + len(self._alone) + len(self._again)

    def add(self, task: Task) -> None:
        """One more job, behind all others."""
        (self._alone if task.alone else self._company).append(task)

    def compare(self, task: Task) -> None:
        """A job that runs once more, at the head of some batch."""
        self._again.append(task)

    def put_back(self, tasks: list[Task]) -> None:
        """Jobs that must run again, each in its place: somebody waits for the oldest."""
        self._again.extend(task for task in tasks if task.seen and not task.alone)
        tasks = [task for task in tasks if task.alone or not task.seen]
        for waiting, alone in ((self._alone, True), (self._company, False)):
            returned = [task for task in tasks if task.alone == alone]
            if returned:
                both = sorted([*returned, *waiting], key=lambda task: task.index)
                waiting.clear()
                waiting.extend(both)

    def has(self, index: int) -> bool:
        """Whether the job with this index waits here."""
        return any(task.index == index for waiting in (self._alone, self._company) for task in waiting)

    def take(self) -> list[Task]:
        """The next batch; empty when nothing waits."""
        if not self._company or (self._alone and self._alone[0].index < self._company[0].index):
            if self._alone:
                return [self._alone.popleft()]
            return [self._again.popleft()] if self._again else []
        share = -(-len(self._company) // self._workers)  # nobody idle while another has many
        most = min(share, self.size)
        if self._again:  # the smaller the batches, the more of them have a head that is compared
            most = min(most, max(HEADED, self.size // len(self._again)))
        taken = [self._again.popleft()] if self._again else []
        if not taken:
            taken.append(self._company.popleft())
        n_bytes = len(taken[0].job.payload)
        while len(taken) < most and self._company and _go_together(self._company[0], taken[0]):
            n_bytes += len(self._company[0].job.payload)
            if n_bytes > BATCH_BYTES:
                break
            taken.append(self._company.popleft())
        return taken

    @property
    def size(self) -> int:
        """Jobs in a batch at the present pace."""
        return self._batch if self._mean_s == 0 else max(1, min(self._batch, int(BATCH_S / self._mean_s)))

    def observe(self, n_jobs: int, seconds: float) -> None:
        """A child ran so many jobs in so much time."""
        mean = seconds / n_jobs
        self._mean_s = mean if self._mean_s == 0 else self._mean_s + WEIGHT * (mean - self._mean_s)


MISMATCHES_NAMED = 20


class Audit:
    """The companies whose results wait."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._companies: list[Company] = []
        self._certain: list[Result] = []

    def begin(self, tasks: list[Task]) -> Company | None:
        """These jobs share a child; None where their results need not wait for each other."""
        company = Company() if any(map(_is_compared, tasks)) else None
        for task in tasks:
            if not task.seen:
                task.company = company
        if company is not None:
            self._companies.append(company)
        return company

    def is_waiting(self, index: int) -> bool:
        """Whether the result of this job is here, and not certain yet."""
        return any(task.index == index for company in self._companies for task, _ in company.results)

    def take(self, done: list[Result]) -> tuple[list[Task], list[Task]]:
        """Keep these results. Tasks that run again behind nobody, and those that do so alone."""
        again, alone = [], []
        for task, result in done:
            if task.seen:
                task.seen.append(result)
                if not self._conclude(task):
                    task.alone = True
                    alone.append(task)
                continue
            if task.company is None:
                self._certain.append((task, result))
                continue
            task.company.results.append((task, result))
            if _is_compared(task):
                task.company.n_open += 1
                task.seen.append(result)
                again.append(task)
        return again, alone

    def release(self) -> list[Result]:
        """Return the results that are certain by now."""
        for company in [c for c in self._companies if c.has_ended and not c.n_open]:
            self._companies.remove(company)
            self._certain += [(task, _judged(company, task, result)) for task, result in company.results]
        certain, self._certain = self._certain, []
        return certain

    def _conclude(self, task: Task) -> bool:
        """Whether its runs, with the newest, say enough."""
        company = task.company
        assert company is not None
        shared, *alone = task.seen
        if len(alone) == 1 and _is_same(shared, alone[0]):
            self._report.n_audited += 1
        elif len(alone) < 3:
            return False
        else:
            self._report.n_audited += 1
            self._differs(company, task)
        company.n_open -= 1
        return True

    def _differs(self, company: Company, task: Task) -> None:
        shared, _, one, other = task.seen
        if task.has_threads or not _is_same(one, other) or _is_same(shared, one):
            self._report.n_unsteady += 1
            company.results = [
                (a_task, _rejected(result, NONDETERMINISTIC) if a_task is task else result)
                for a_task, result in company.results
            ]
            return
        self._report.n_mismatched += 1
        if len(self._report.mismatched) < MISMATCHES_NAMED:
            self._report.mismatched.append(task.job.id)
        company.mismatched[task.index] = shared, one


def _is_compared(task: Task) -> bool:
    # Of the first of a child a second run could show nothing: nobody had been there.
    return not (task.seen or task.is_first or task.alone) and is_audited(task.job.payload)


def _is_same(one: JobResult, other: JobResult) -> bool:
    return (one.result, one.output, one.refusals) == (other.result, other.output, other.refusals)


def _judged(company: Company, task: Task, result: JobResult) -> JobResult:
    if not company.mismatched:
        return result
    if task.index in company.mismatched:
        return _rejected(result, NOT_ALONE, *company.mismatched[task.index])
    return _rejected(result, COMPANY)


def _rejected(result: JobResult, why: str, *compared: JobResult) -> JobResult:
    return replace(result, result=JobFailed(Rejected(why)), refusals=[], compared=list(compared))
