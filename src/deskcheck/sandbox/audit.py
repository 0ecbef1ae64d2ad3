"""Compare what jobs gave behind others with what they give with nothing before them; hold results till then.

    audit = Audit(report)
    company = audit.begin(tasks)       a batch goes to its child
    again, alone = audit.take(done)    results have come: tasks to run again at the head of a batch, and alone
    company.has_ended = True           the child is gone
    audit.release() -> results that are certain

One job in `AUDIT_EVERY`, by its payload's hash, runs once more. Where that gives something else, it runs
twice more, each time in a child of its own, the second time with its objects at other addresses. Results
that differ alone: the job is nondeterministic and has no result; so is one that starts threads, whose turns
are not the same twice, however often they were. Equal alone, but different in company: a defect of ours, and
no result of that company counts.
"""

from __future__ import annotations

from msgspec.structs import replace

from deskcheck.records import JobFailed, JobResult, Rejected
from deskcheck.records.job import COMPANY, NONDETERMINISTIC, NOT_ALONE
from deskcheck.sandbox import batching
from deskcheck.sandbox.report import Report
from deskcheck.sandbox.running import Company, Result, Task

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
    return not (task.seen or task.is_first or task.alone) and batching.is_audited(task.job.payload)


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
