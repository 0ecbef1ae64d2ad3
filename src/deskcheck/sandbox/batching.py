"""Which jobs go into one child: those that wait, in order, as many as are worth it.

    plan = Plan(batch=32, workers=2); plan.add(task); plan.take() -> [task, ..]

A batch holds jobs of one function and one set of limits. A job that wants to be alone, or that must be run
again alone, is a batch of its own. Slow jobs make small batches: what one trip or crash costs stays small.
A job whose result is compared runs again at the head of a batch: nothing has run in its child by then, what
comes after it cannot reach a frame that has gone, and it costs no child of its own.
"""

from __future__ import annotations

import zlib
from collections import deque

from deskcheck.sandbox.running import Task

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
