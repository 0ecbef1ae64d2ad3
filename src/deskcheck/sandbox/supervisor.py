"""The loop that keeps all zygotes busy, watches the clock, and hands results out in input order.

    run_jobs(jobs, workers=2) -> JobResult, JobResult, ...

One thread does nothing but wait on descriptors and deadlines, so that a caller who takes long over one
result neither stretches a child's time nor lets it run on. The parent never forks: zygotes are started
by `subprocess`. A zygote that dies is replaced; its job runs once more, and is Crashed if that kills the
next one too (so the guilty job is data, and one that a neighbour's attack hit is not lost).
"""

from __future__ import annotations

import os
import queue
import selectors
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator

from deskcheck.records import Crashed, Job, JobFailed, JobResult
from deskcheck.sandbox.worker import Worker

# How far the other workers may run ahead of the slowest job, in jobs and in bytes of results not yet taken.
WINDOW_PER_WORKER = 64
WINDOW_BYTES = 256 << 20
# Zygotes in a row that die before they are ready; then the machine is at fault, not a job.
START_ATTEMPTS = 3


def run_jobs(jobs: Iterable[Job], *, workers: int) -> Iterator[JobResult]:
    """Run every job in a limited child; results in the order of the jobs."""
    source = iter(jobs)
    first = next(source, None)
    if first is None:
        return
    supervisor = Supervisor(first.function, workers=workers)
    try:
        supervisor.submit(0, first)
        n_sent, n_done, held, exhausted = 1, 0, 0, False
        finished: dict[int, JobResult] = {}
        while n_done < n_sent or not exhausted:
            for index, result in supervisor.take(wait=False):
                finished[index] = result
                held += _size(result)
            n_open = n_sent - n_done
            is_ready = n_done in finished
            hungry = n_open - len(finished) < 2 * workers
            room = n_open == 0 or (n_open < WINDOW_PER_WORKER * workers and held < WINDOW_BYTES)
            if not exhausted and room and (hungry or not is_ready):
                job = next(source, None)
                if job is None:
                    exhausted = True
                else:
                    supervisor.submit(n_sent, job)
                    n_sent += 1
            elif is_ready:
                result = finished.pop(n_done)
                held -= _size(result)
                n_done += 1
                yield result
            else:
                for index, result in supervisor.take(wait=True):
                    finished[index] = result
                    held += _size(result)
    finally:
        supervisor.stop()


def _size(result: JobResult) -> int:
    return len(result.output) + len(getattr(result.result, "payload", b""))


class Supervisor:
    """The thread, its workers and the two queues between it and the caller."""

    def __init__(self, function: str, *, workers: int) -> None:
        self._function = function
        self._n_workers = workers
        self._incoming: queue.SimpleQueue[tuple[int, Job]] = queue.SimpleQueue()
        self._outgoing: queue.SimpleQueue[tuple[int, JobResult] | BaseException] = queue.SimpleQueue()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._stopping = False
        self._thread = threading.Thread(target=self._main, name="deskcheck-sandbox", daemon=True)
        self._thread.start()

    def submit(self, index: int, job: Job) -> None:
        """Queue one job."""
        self._incoming.put((index, job))
        self._wake()

    def take(self, *, wait: bool) -> list[tuple[int, JobResult]]:
        """Finished jobs, in any order; at least one if `wait`. Raises what the thread raised."""
        found: list[tuple[int, JobResult]] = []
        while (wait and not found) or not self._outgoing.empty():
            got = self._outgoing.get()
            if isinstance(got, BaseException):
                raise got
            found.append(got)
        return found

    def stop(self) -> None:
        """Kill every child and zygote and wait until they are gone."""
        self._stopping = True
        self._wake()
        self._thread.join()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _wake(self) -> None:
        try:
            os.write(self._wake_write, b"x")
        except BlockingIOError:  # full: it will wake up anyway
            return

    def _main(self) -> None:
        loop = _Loop(self._function, wake_fd=self._wake_read)
        try:
            while not self._stopping:
                while not self._incoming.empty():
                    loop.pending.append(self._incoming.get())
                    loop.grow(self._n_workers)
                for finished in loop.turn():
                    self._outgoing.put(finished)
        except BaseException as error:  # handed to the caller, who raises it
            self._outgoing.put(error)
        finally:
            loop.close()


class _Loop:
    """What the thread owns: pending jobs, workers, the selector."""

    def __init__(self, function: str, *, wake_fd: int) -> None:
        self._function = function
        self._wake_fd = wake_fd
        self.pending: deque[tuple[int, Job]] = deque()
        self._selector = selectors.DefaultSelector()
        self._selector.register(wake_fd, selectors.EVENT_READ)
        self._indices: dict[Worker, int] = {}  # -1 = no job
        self._struck: set[int] = set()  # jobs whose zygote died once
        self._failed_starts = 0

    def grow(self, limit: int) -> None:
        """Start another zygote while there is more work than workers."""
        if self.pending and len(self._indices) < limit:
            self._indices[Worker(self._function, self._selector)] = -1

    def turn(self) -> list[tuple[int, JobResult]]:
        """Wait for the next thing to happen and deal with it; the jobs that ended by it."""
        self._dispatch()
        nearest = min((worker.deadline for worker in self._indices), default=float("inf"))
        timeout = None if nearest == float("inf") else max(0.0, nearest - time.monotonic())
        done: list[tuple[int, JobResult]] = []
        for key, _ in self._selector.select(timeout):
            worker = key.data
            if worker is None:
                _drain(self._wake_fd)
            elif key.fileobj is worker.control:
                done += self._hear(worker)
            elif worker.running is not None and key.fileobj == worker.running.result_fd:
                worker.read_result()
        for worker in [w for w in self._indices if w.deadline <= time.monotonic()]:
            # Its end may have arrived while this thread was not scheduled: the clock counts only after that.
            done += self._hear(worker)
            if worker.deadline <= time.monotonic():
                worker.pass_deadline()
        for worker in [w for w in self._indices if w.lost]:
            done += self._replace(worker)
        return done

    def close(self) -> None:
        """Kill and forget all workers."""
        for worker in self._indices:
            worker.stop()
        self._indices.clear()
        self._selector.close()

    def _dispatch(self) -> None:
        for worker, index in self._indices.items():
            if not self.pending:
                return
            if index < 0 and worker.ready and not worker.lost:
                self._failed_starts = 0
                self._indices[worker], job = self.pending.popleft()
                worker.start_job(job)

    def _hear(self, worker: Worker) -> list[tuple[int, JobResult]]:
        result = worker.read_control()
        if result is None:
            return []
        index, self._indices[worker] = self._indices[worker], -1
        return [(index, result)]

    def _replace(self, worker: Worker) -> list[tuple[int, JobResult]]:
        """Bury a lost zygote, settle its job, start another one."""
        index = self._indices.pop(worker)
        self._failed_starts += not worker.ready
        failure = worker.start_failure() if self._failed_starts >= START_ATTEMPTS else None
        running = worker.running
        worker.stop()
        if failure is not None:
            raise failure
        self._indices[Worker(self._function, self._selector)] = -1
        if running is None:
            return []
        if running.killed_for is None and index not in self._struck:
            self._struck.add(index)
            self.pending.appendleft((index, running.job))
            return []
        outcome = running.killed_for or Crashed("SIGKILL of its zygote, twice")
        wall_s = time.monotonic() - running.started
        return [(index, JobResult(running.job.id, JobFailed(outcome), output=b"", wall_s=wall_s))]


def _drain(fd: int) -> None:
    try:
        while os.read(fd, 4096):
            pass
    except BlockingIOError:
        return
