"""Run the sandbox's jobs in parallel: keep all zygotes busy, watch the clock, return results in input order.

    run_jobs(jobs, workers=2) -> JobResult, JobResult, ...

One thread does nothing but wait for descriptors and deadlines, so that a slow caller neither extends a
child's time nor lets the child run on. The parent never forks: zygotes are started by `subprocess`. Jobs go
to the zygotes in batches (worker.py). A zygote that dies is replaced. The job that ran in it runs once more,
alone, and is Crashed if it loses the next zygote too: a hostile job ends as data, and a victim of its attack
is not lost.
"""

from __future__ import annotations

import os
import queue
import selectors
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from deskcheck.records import Job, JobDone, JobResult
from deskcheck.sandbox.running import START_ATTEMPTS, Task
from deskcheck.sandbox.wire import Report, names_of_trip
from deskcheck.sandbox.worker import DEPTH, Audit, Plan, Warm, Worker, can_batch

BATCH = 256  # most jobs of a batch
# Lead of the workers over the oldest job: batches per worker, and bytes of results not yet taken.
WINDOW_BATCHES = 4
WINDOW_BYTES = 256 << 20
# Wait after the first lost zygote; it doubles with every further one until a batch comes back.
BACK_OFF_S = 0.05
BACK_OFF_MOST_S = 5.0  # the longest such wait
# Shortest time between two fetches of results: a wake-up for each would cost more than a small job.
PACE_S = 0.001


def run_jobs(
    jobs: Iterable[Job],
    *,
    workers: int,
    level: str = "limits",
    batch: int = BATCH,
    report: Callable[[Report], None] | None = None,
    warm: Warm | None = None,
) -> Iterator[JobResult]:
    """Run every job in a limited child and yield the results in the order of the jobs.

    Zygotes of `warm` are used first; zygotes that are idle at the end go back there. `batch` is the largest
    number of jobs in a child. `report` gets the counts at the end, also if the caller stops early.
    SandboxUnavailable if zygotes or children cannot be started, or `level` does not hold here.
    """
    source = iter(jobs)
    first = next(source, None)
    if first is None:
        return
    if not can_batch():
        batch = 1
    window = WINDOW_BATCHES * batch * workers
    function = warm.function if warm is not None else first.function
    supervisor = Supervisor(function, level=level, workers=workers, batch=batch, warm=warm)
    flow = supervisor.flow
    finished: dict[int, JobResult] = {}
    try:
        last = Task(0, first)
        supervisor.submit(last)
        n_sent, exhausted = 1, False
        while flow.n_taken < n_sent or not exhausted:
            finished.update(supervisor.take(wait=False))
            n_open = n_sent - flow.n_taken
            is_ready = flow.n_taken in finished
            hungry = n_open - len(finished) < 2 * batch * workers
            room = n_open == 0 or (n_open < window and not flow.is_full)
            if not exhausted and room and (hungry or not is_ready):
                job = next(source, None)
                if job is None:
                    exhausted = True
                else:
                    last = Task(n_sent, job, last if job.is_second else None)
                    supervisor.submit(last)
                    n_sent += 1
            elif is_ready:
                result = finished.pop(flow.n_taken)
                supervisor.taken(result)
                yield result
            else:
                finished.update(supervisor.take(wait=True))
    finally:
        supervisor.stop()
        if report is not None:
            report(supervisor.report)


class Flow:
    """Counts of results made and taken; each number is written by one thread only."""

    def __init__(self) -> None:
        self.n_taken = 0
        """Number of results that the caller has taken; the index of the next one."""
        self.bytes_made = 0
        self.bytes_taken = 0

    @property
    def is_full(self) -> bool:
        """Whether only the result that the caller waits for should still be made."""
        return self.bytes_made - self.bytes_taken >= WINDOW_BYTES


def _size(result: JobResult) -> int:
    """Return the approximate bytes that a result takes while it waits for the caller."""
    done = result.result
    own = len(done.payload) + sum(map(len, done.parts.values())) if isinstance(done, JobDone) else 0
    return 200 + len(result.output) + len(result.prepared) + own


class Supervisor:
    """Thread with its workers, and the two queues between it and the caller."""

    def __init__(self, function: str, *, level: str, workers: int, batch: int, warm: Warm | None) -> None:
        self.flow = Flow()
        self.report = Report()
        self._incoming: deque[Task] = deque()
        self._outgoing: queue.SimpleQueue[list[tuple[int, JobResult]] | BaseException] = queue.SimpleQueue()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._stopping = False
        self._woken = False
        """Whether the thread was woken and has not looked at its queue yet."""
        self._idle = True
        """Whether the thread could take more jobs, or fetch more results, than it has."""
        self._loop = _Loop(
            function, level=level, workers=workers, batch=batch,
            wake_fd=self._wake_read, flow=self.flow, report=self.report, warm=warm,
        )  # fmt: skip
        self._thread = threading.Thread(target=self._main, name="deskcheck-sandbox", daemon=True)
        self._thread.start()

    def submit(self, task: Task) -> None:
        """Queue one job for a worker."""
        self._incoming.append(task)
        if self._idle:
            self._wake()

    def take(self, *, wait: bool) -> list[tuple[int, JobResult]]:
        """Return finished jobs in any order, at least one if `wait`; raise the error of a failed thread."""
        results: list[tuple[int, JobResult]] = []
        while (wait and not results) or not self._outgoing.empty():
            got = self._outgoing.get()
            if isinstance(got, BaseException):
                raise got
            results += got
        return results

    def taken(self, result: JobResult) -> None:
        """Count a result that the caller has taken."""
        was_full = self.flow.is_full
        self.flow.n_taken += 1
        self.flow.bytes_taken += _size(result)
        if was_full:
            self._wake()

    def stop(self) -> None:
        """Kill every child and zygote and wait until they are gone."""
        self._stopping = True
        self._wake()
        self._thread.join()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _wake(self) -> None:
        if self._woken:
            return
        self._woken = True
        os.write(self._wake_write, b"x")

    def _main(self) -> None:
        """Run the thread: take queued jobs, give them to workers, wait for messages, put out results."""
        loop = self._loop
        try:
            while not self._stopping:
                self._idle = self._woken = False
                while self._incoming:
                    loop.add(self._incoming.popleft())
                loop.dispatch()
                self._idle = loop.wants_more
                if self._idle and self._incoming:  # submitted meanwhile, without waking the thread
                    continue
                done = loop.turn()
                if done:
                    self.flow.bytes_made += sum(_size(result) for _, result in done)
                    self._outgoing.put(done)
        except BaseException as error:  # passed to the caller's thread, which raises it
            self._outgoing.put(error)
        finally:
            loop.close()


class _Loop:
    """State of the thread: the plan, the workers, the selector."""

    def __init__(
        self,
        function: str,
        *,
        level: str,
        workers: int,
        batch: int,
        wake_fd: int,
        flow: Flow,
        report: Report,
        warm: Warm | None,
    ) -> None:
        self._function = function
        self._warm = warm
        self._level = level
        self._n_workers = workers
        self._batch = batch
        self._wake_fd = wake_fd
        self._flow = flow
        self._report = report
        self._plan = Plan(batch=batch, workers=workers)
        self._selector = selectors.DefaultSelector()
        self._selector.register(wake_fd, selectors.EVENT_READ)
        self._workers: list[Worker] = []
        self._audit = Audit(report)
        self._prepared: set[int] = set()
        """Indices of final results that the caller has not taken."""
        self._n_seen_taken = 0
        self._failed_starts = 0
        self._back_off_s = 0.0
        self._start_after = 0.0

    # ------------------------------------------------------------------ distributing jobs

    def add(self, task: Task) -> None:
        """Queue a job, and count it in the report."""
        self._report.n_jobs += 1
        self._report.n_alone += task.job.alone
        self._plan.add(task)

    @property
    def wants_more(self) -> bool:
        """Whether the workers could take more jobs than are queued."""
        return len(self._plan) < self._plan.size * self._n_workers

    @property
    def _lacks_workers(self) -> bool:
        """Whether another zygote is allowed, and needed because more jobs wait than there are free ones.

        A job whose runs are compared needs a second zygote, however few workers are allowed.
        """
        if len(self._workers) < 2 and self._plan.needs_two:
            return True
        n_free = sum(not worker.given for worker in self._workers)  # ready or starting
        return n_free < len(self._plan) and len(self._workers) < self._n_workers

    def dispatch(self) -> None:
        """Give waiting jobs to free workers; start zygotes while there is more work than workers."""
        now = time.monotonic()
        if self._lacks_workers and now >= self._start_after:
            self._start()
        for depth in range(DEPTH):
            for worker in self._workers:
                if worker.ready and not worker.lost and len(worker.given) == depth:
                    # A second batch is queued only if it is whole: jobs are so small then that waiting for
                    # the supervisor would matter, and a child costs the same for a few jobs.
                    if depth and (worker.is_worn or self._plan.size < self._batch or self.wants_more):
                        continue
                    if worker.is_worn:
                        self._retire(worker)
                        return
                    tasks = self._plan.take(worker.number)
                    if not tasks:
                        continue
                    self._report.n_children += 1
                    worker.give(tasks)
                    worker.given[-1].company = self._audit.begin(tasks)

    def _start(self) -> None:
        self._report.n_zygotes += 1
        warm = self._warm.take(self._level, self._selector) if self._warm is not None else None
        self._workers.append(warm or Worker(self._function, self._level, self._selector))

    def _retire(self, worker: Worker) -> None:
        self._workers.remove(worker)
        self._report.count_left(worker.stop())
        self._start()

    # ------------------------------------------------------------------ waiting

    def turn(self) -> list[tuple[int, JobResult]]:
        """Wait for the next message or deadline, handle it, and return the jobs that ended."""
        done: list[tuple[Task, JobResult]] = []
        self._pause()
        only_results = True
        for key, _ in self._selector.select(self._timeout()):
            worker = key.data
            if worker is None:
                _drain(self._wake_fd)
            elif key.fileobj is worker.control:
                only_results = False
                done += self._hear(worker)
            elif worker.given and key.fileobj is worker.given[0].socket:
                done += worker.read_results()
        now = time.monotonic()
        for worker in [w for w in self._workers if w.deadline <= now]:
            # Its end may have arrived while this thread did not run, so messages are read before the clock.
            done += self._hear(worker)
            if worker.given:
                done += worker.read_results()
            if worker.deadline <= now:
                worker.pass_deadline()
        for worker in [w for w in self._workers if w.lost]:
            done += self._bury(worker)
        if done and only_results:
            time.sleep(PACE_S)  # meanwhile further results collect in the socket
        return self._settle(done)

    def _pause(self) -> None:
        """Make only the result that the caller waits for while too many others wait to be taken."""
        while self._n_seen_taken < self._flow.n_taken:
            self._prepared.discard(self._n_seen_taken)
            self._n_seen_taken += 1
        wanted = self._n_seen_taken
        # That result may exist already and wait for runs with which it will be compared.
        is_full = self._flow.is_full and not self._audit.is_waiting(wanted)
        busy = [worker for worker in self._workers if worker.given]
        for worker in busy:
            worker.pause(is_full and worker.given[0].next_index > wanted)
        if is_full and wanted not in self._prepared and all(worker.given[0].paused for worker in busy):
            # Recall the batch before the wanted job, or any batch if the job waits in the plan.
            for worker in busy:
                if worker.has_behind(wanted) or self._plan.has(wanted, worker.number):
                    worker.given[0].recall()
                    break

    def close(self) -> None:
        """Stop all workers; idle ones go to `warm` instead, for the next supervisor."""
        for worker in self._workers:
            if self._warm is not None and worker.is_idle:
                self._warm.keep(worker)
            else:
                self._report.count_left(worker.stop())
        self._workers.clear()
        self._selector.close()

    def _timeout(self) -> float | None:
        nearest = min((worker.deadline for worker in self._workers), default=float("inf"))
        if self._lacks_workers:
            nearest = min(nearest, self._start_after)
        return None if nearest == float("inf") else max(0.0, nearest - time.monotonic())

    def _hear(self, worker: Worker) -> list[tuple[Task, JobResult]]:
        """Handle a zygote's messages; return the last results of children that ended."""
        done: list[tuple[Task, JobResult]] = []
        was_ready = worker.ready
        for running in worker.read_control():
            self._back_off_s = 0.0
            results, again = running.finish()  # also reads the rest of the child's messages
            self._plan.observe(max(1, running.reader.index), time.monotonic() - running.began)
            if running.trip:
                self._report.count_trip(names_of_trip(running.trip))
            running.close()
            if running.company is not None:
                running.company.has_ended = True
            done += results
            self._report.n_rerun += sum(task.alone for task in again)
            self._plan.put_back(again)
        if worker.ready and not was_ready:
            self._failed_starts = 0
        return done

    def _bury(self, worker: Worker) -> list[tuple[Task, JobResult]]:
        """Settle the jobs of a lost zygote and set the pause before another one is started."""
        self._workers.remove(worker)
        self._report.n_lost += 1
        self._failed_starts += not worker.ready
        failure = worker.start_failure() if self._failed_starts >= START_ATTEMPTS else None
        done: list[tuple[Task, JobResult]] = []
        for number, running in enumerate(worker.given):
            results, again = running.lose() if number == 0 else ([], running.tasks)
            if running.company is not None:
                running.company.has_ended = True
            done += results
            self._report.n_rerun += number == 0 and len(again) > 0
            self._plan.put_back(again)
        self._report.count_left(worker.stop())
        if failure is not None:
            raise failure
        self._back_off_s = min(BACK_OFF_MOST_S, 2 * self._back_off_s or BACK_OFF_S)
        self._start_after = time.monotonic() + self._back_off_s
        return done

    def _settle(self, done: list[tuple[Task, JobResult]]) -> list[tuple[int, JobResult]]:
        """Return the results that are final; jobs that are audited get another run."""
        again, alone = self._audit.take(done)
        for task in again:
            self._plan.compare(task)
        self._plan.put_back(alone)
        final = []
        for task, result in self._audit.release():
            task.is_settled = True
            task.twin = None
            final.append((task.index, result))
        self._prepared.update(index for index, _ in final)
        return final


def _drain(fd: int) -> None:
    try:
        while os.read(fd, 4096):
            pass
    except BlockingIOError:
        return
