"""Store the traces of programs and the answers of models on disk, so that later runs reuse them.

    store = open_store(Limits())                          a folder of this user; None without pyarrow
    for program, trace in store.runs(programs, run): ..   `run` executes the programs missing from the store
    answers = AnswerStore.open(folder)
    answers.find(task_id, sample, asked) -> Rollout | None
    answers.add(task_id, sample, asked, rollout)
    with locked(folder): ..                               a second run of the same cell fails with UserError

Traces. Each program is run once. Traces share a folder if their limits, containment level and versions of
Python, format and recording code are the same; the folder's name is a hash of these. It holds shards of
traces (`format.shards`). Columns of a trace are loaded on access and released later, so memory use does not
grow with the number of traces.
Outcomes that another run may not reproduce are not stored: time limits, crashes, refusals, and programs that
read the clock or random numbers. A shard that cannot be read when the store is opened counts as absent.

Answers. Each sample is one JSON line, appended when it finishes, so that no paid request is repeated. An
answer is reused only for the same question (a hash of program and first prompt), so a changed data file or
prompt is asked anew. Rollouts that ended in a provider error are not reused. An incomplete line, left by a
killed run, is ignored.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import importlib.util
import os
import platform
import shutil
import tempfile
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from io import BufferedWriter
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from deskcheck.errors import CorruptShard, UserError
from deskcheck.format.buffers import GROUPS, Packed, view_of
from deskcheck.records import (
    FORMAT_VERSION,
    Answer,
    CompileFailure,
    Completion,
    Limits,
    NoAnswer,
    Program,
    Prompt,
    Raised,
    Returned,
    Rollout,
    StepLimit,
    Task,
    Trace,
)

VARIABLE = "DESKCHECK_TRUTH"
"""Environment variable that names the folder or is "off"; default: `deskcheck/truth` in the user's cache."""
SHARD_VALUES = 1_000_000
"""Number of 8-byte values at which the pending shard is written; a shard is read as a whole."""
SHARD_ROWS = 500
"""Most traces in a shard."""
OPEN_VALUES = 1_000_000
"""Most 8-byte values in the traces that are kept open; one trace is kept open even if it is larger."""
# Outcomes that another run gives again; packages whose code decides what a trace holds.
_REPEATABLE = (Returned, Raised, StepLimit, CompileFailure)
_RECORDERS = ("tracing", "sandbox", "format", "records")

Run = Callable[[Iterable[Program]], Iterator[tuple[Program, Packed]]]
"""Function that runs programs and yields each with its trace, in their order."""


def open_store(limits: Limits) -> TruthStore | None:
    """Open the user's store for runs under these limits; None if pyarrow is not installed.

    If the store is off or its folder is not writable, a temporary folder is used and deleted with the store.
    """
    if importlib.util.find_spec("pyarrow") is None:
        return None
    setting = os.environ.get(VARIABLE, "")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = (Path(setting) if setting else home / "deskcheck" / "truth") / key_of(limits)
    if setting != "off":
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return TruthStore(folder)
    temporary = Path(tempfile.mkdtemp(prefix="deskcheck-truth-"))
    store = TruthStore(temporary)
    weakref.finalize(store, shutil.rmtree, temporary, ignore_errors=True)
    return store


def key_of(limits: Limits) -> str:
    """Hash everything that can change a trace, except the program, to 16 hex digits."""
    from deskcheck.sandbox import containment

    level = containment.find().level
    facts = [msgspec.json.encode(limits).decode(), platform.python_version(), FORMAT_VERSION, level]
    return hashlib.sha256(msgspec.json.encode([*facts, _recorders()])).hexdigest()[:16]


@cache
def _recorders() -> str:
    """Hash the code that runs and records programs, with its compiled parts."""
    digest = hashlib.sha256()
    package = Path(__file__).parents[1]
    for name in _RECORDERS:
        for path in sorted((package / name).rglob("*")):
            if path.suffix in (".py", ".so", ".pyd"):
                digest.update(path.name.encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


class TruthStore:
    """Stored traces of one key (`key_of`).

    In memory are the pending shard, the last shard read, and up to OPEN_VALUES values of open traces.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._locations: dict[str, tuple[Path, int]] = {}
        self._pending: dict[str, tuple[Program, Packed]] = {}
        self._pending_values = 0
        self._read: tuple[Path, list[Packed]] = (Path(), [])
        self._open: OrderedDict[str, Trace] = OrderedDict()
        self._open_values: dict[str, int] = {}
        self._lock = RLock()
        for path in sorted(folder.glob("*.parquet")):
            with contextlib.suppress(CorruptShard):
                for row, identity in enumerate(_ids_of(path)):
                    self._locations.setdefault(identity, (path, row))

    def __contains__(self, program: Program) -> bool:
        """Tell whether a trace of the program is stored."""
        return program.id in self._locations or program.id in self._pending

    def runs(self, programs: Iterable[Program], run: Run) -> Iterator[tuple[Program, Trace]]:
        """Yield every program with its trace, in order; `run` executes those without a stored trace."""
        waiting = list(programs)
        missing = {program.id: program for program in waiting if program not in self}
        ran = run(list(missing.values()))
        unrepeatable: dict[str, Trace] = {}
        try:
            for program in waiting:
                if program.id in missing:
                    del missing[program.id]
                    _, packed = next(ran)
                    if is_repeatable(packed):
                        self._pending[program.id] = (program, packed)
                        self._pending_values += packed.n_cells
                    else:
                        unrepeatable[program.id] = view_of(packed)
                # Open the trace before the flush, so that a large one is not read back from disk.
                is_stored = program.id not in unrepeatable
                trace = self._lazy(program.id) if is_stored else unrepeatable[program.id]
                if not missing or self._is_full():
                    self.flush()
                yield program, trace
        finally:  # also if the caller stops early
            self.flush()

    def flush(self) -> None:
        """Write the pending traces to one shard, atomically."""
        import pyarrow as pa

        from deskcheck.format.shards import write_packed

        with self._lock:
            if not self._pending:
                return
            name = hashlib.sha256("\n".join(self._pending).encode()).hexdigest()[:16]
            path = self.folder / f"{name}.parquet"
            write_packed(path, list(self._pending.values()))
            self._locations |= {identity: (path, row) for row, identity in enumerate(self._pending)}
            self._pending, self._pending_values = {}, 0
            pa.default_memory_pool().release_unused()

    def read(self, identity: str) -> Trace:
        """Read the trace of a program id; raise CorruptShard if its shard changed after opening."""
        with self._lock:
            if identity in self._open:
                self._open.move_to_end(identity)
                return self._open[identity]
            packed = self._packed(identity)
            trace = view_of(packed)
            self._open[identity] = trace
            self._open_values[identity] = packed.n_cells
            while len(self._open) > 1 and sum(self._open_values.values()) > OPEN_VALUES:
                oldest, _ = self._open.popitem(last=False)
                del self._open_values[oldest]
            return trace

    def _packed(self, identity: str) -> Packed:
        from deskcheck.format.shards import read_packed

        if identity in self._pending:
            return self._pending[identity][1]
        path, row = self._locations[identity]
        if self._read[0] != path:
            self._read = (Path(), [])
            self._read = (path, [packed for _, packed in read_packed(path)])
        packed = self._read[1][row]
        if packed.program_id != identity:
            raise CorruptShard(f"{path} changed while it was in use; run the same command again")
        return packed

    def _is_full(self) -> bool:
        return self._pending_values >= SHARD_VALUES or len(self._pending) >= SHARD_ROWS

    def _lazy(self, identity: str) -> Trace:
        """Return a trace whose columns are loaded on access."""
        trace = self.read(identity)
        n = len(trace.events.step), trace.n_steps
        columns = {group: _LazyColumns(self, identity, group, n) for group in GROUPS}
        return msgspec.structs.replace(trace, **columns)


def is_repeatable(packed: Packed) -> bool:
    """Tell whether another run would give the same trace."""
    return isinstance(packed.outcome, _REPEATABLE) and not packed.head.determinism.reads


def _ids_of(path: Path) -> list[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        ids: list[str] = pq.read_table(path, columns=["program_id"])["program_id"].to_pylist()
    except (OSError, ValueError, KeyError, pa.ArrowException) as error:
        raise CorruptShard(f"{path}: {error}") from error
    return ids


class _LazyColumns:
    """A group of columns of a stored trace, loaded on first access."""

    __slots__ = ("_group", "_identity", "_n", "_store")

    def __init__(self, store: TruthStore, identity: str, group: str, n: tuple[int, int] = (0, 0)) -> None:
        self._store, self._identity, self._group, self._n = store, identity, group, n

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._whole(), name)

    @property
    def step(self) -> Sequence[int]:
        """Column `step`, whose length and last entry (the number of steps) are known without loading it."""
        return _Steps(self._n, self._whole)

    def __eq__(self, other: object) -> bool:
        return bool(self._whole() == (other._whole() if isinstance(other, _LazyColumns) else other))

    def __hash__(self) -> int:
        return hash((self._identity, self._group))

    def _whole(self) -> Any:
        return getattr(self._store.read(self._identity), self._group)


class _Steps(Sequence[int]):
    """The column `events.step`; its length and last entry are read without loading it."""

    __slots__ = ("_n", "_whole")

    def __init__(self, n: tuple[int, int], whole: Callable[[], Any]) -> None:
        self._n, self._whole = n, whole

    def __len__(self) -> int:
        return self._n[0]

    def __getitem__(self, index: Any) -> Any:
        return self._n[1] if index == -1 and self._n[0] else self._whole().step[index]

    def __iter__(self) -> Iterator[int]:
        return iter(self._whole().step)


FILE = "answers.jsonl"
_Number = TypeVar("_Number", int, float)


class Calls(Struct, frozen=True, omit_defaults=True):
    """The completions of one sample as columns, one entry per turn."""

    text: list[str]
    finish: list[str]
    tokens_in: list[int]
    tokens_out: list[int]
    latency_s: list[float]
    hidden: list[int] = []
    """Hidden reasoning tokens of each call; empty if no call reported them."""
    logprob: list[float] = []
    """Log probability of each reply; empty if no call reported one."""
    served: list[str] = []
    """Name of the model that answered each call; one entry if all are the same, none if none is known."""


class Line(Struct, frozen=True, omit_defaults=True):
    """One stored sample, a line of the file."""

    task: str
    sample: int
    asked: str
    """Hash of the question (`question_hash`)."""
    answer: Answer | NoAnswer
    calls: Calls
    chain: list[str] = []
    chain_is_text: bool = False
    """Whether the chain equals the texts of the calls, which are then not stored twice."""
    apart: int = -1
    """Number of jumps that disagreed with single steps (on_error=check); -1 = not checked."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock the folder of a cell; UserError if another run holds it. The system unlocks it when a run ends."""
    folder.mkdir(parents=True, exist_ok=True)
    held = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                raise UserError(
                    f"another deskcheck run is using {folder}; wait until it ends, or choose another "
                    "--log-dir and pay for the same requests again"
                ) from None
            # The file system has no locks: continue without one.
        yield
    finally:
        os.close(held)


class AnswerStore:
    """The answers of one cell, read at the start and appended to as samples finish."""

    is_paid = False
    """If true, each answer is synced to disk at once, because it cost money."""

    def __init__(self, path: Path, lines: dict[tuple[str, int], Line]) -> None:
        self.path = path
        self.lines = lines
        self._file: BufferedWriter | None = None

    @classmethod
    def open(cls, folder: Path) -> AnswerStore:
        """Load the answers stored in a folder, if there are any."""
        path = folder / FILE
        return cls(path, {(line.task, line.sample): line for line in read_lines(path)})

    def find(self, task_id: str, sample: int, asked: str) -> Rollout | None:
        """Return the rollout stored for this question; None if there is none or a provider error ended it."""
        line = self.lines.get((task_id, sample))
        if line is None or line.asked != asked:
            return None
        if isinstance(line.answer, NoAnswer) and line.answer.reason == "error":
            return None
        return as_rollout(line)

    def add(self, task_id: str, sample: int, asked: str, rollout: Rollout) -> None:
        """Append one finished sample. The line is flushed on return, and synced to disk if `is_paid`."""
        line = as_line(task_id, sample, asked, rollout)
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            _end_incomplete_line(self.path)
            self._file = self.path.open("ab")
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()  # `lines` is not updated, because a run asks for each sample once
        if self.is_paid:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Sync the stored answers to disk and close the file."""
        if self._file is not None:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._file = None


def read_lines(path: Path) -> Iterator[Line]:
    """Yield the complete lines of a file; incomplete ones, left by killed runs, are skipped."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for text in file:
            try:
                yield msgspec.json.decode(text, type=Line)
            except msgspec.MsgspecError:
                continue


def _end_incomplete_line(path: Path) -> None:
    if path.exists() and path.stat().st_size:
        with path.open("rb+") as file:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")


def as_line(task_id: str, sample: int, asked: str, rollout: Rollout) -> Line:
    """Convert a rollout to a line to store. A chain equal to the replies is not stored twice."""
    texts = [completion.text for completion in rollout.completions]
    calls = Calls(
        text=texts,
        finish=[completion.finish_reason for completion in rollout.completions],
        tokens_in=[completion.n_tokens_in for completion in rollout.completions],
        tokens_out=[completion.n_tokens_out for completion in rollout.completions],
        latency_s=[completion.latency_s for completion in rollout.completions],
        hidden=_column_or_empty([completion.n_tokens_hidden for completion in rollout.completions], -1),
        logprob=_column_or_empty([completion.logprob for completion in rollout.completions], 1.0),
        served=_served([completion.served for completion in rollout.completions]),
    )
    same = bool(rollout.chain) and rollout.chain == texts
    chain = [] if same else rollout.chain
    return Line(task_id, sample, asked, rollout.answer, calls, chain, same, rollout.apart)


def as_rollout(line: Line) -> Rollout:
    """Convert a stored line back to the rollout."""
    columns = line.calls
    n = len(columns.text)
    rows = zip(
        columns.text,
        columns.finish,
        columns.tokens_in,
        columns.tokens_out,
        columns.latency_s,
        columns.hidden or [-1] * n,
        columns.logprob or [1.0] * n,
        columns.served if len(columns.served) == n else (columns.served or [""]) * n,
        strict=True,
    )
    completions = [Completion(*row) for row in rows]
    chain = list(columns.text) if line.chain_is_text else line.chain
    return Rollout(line.answer, completions, chain, line.apart)


def _served(names: list[str]) -> list[str]:
    different = list(dict.fromkeys(names))
    return names if len(different) > 1 else [name for name in different if name]


def _column_or_empty(column: list[_Number], unknown: _Number) -> list[_Number]:
    return [] if all(entry == unknown for entry in column) else column


def question_hash(task: Task, prompt: Prompt) -> str:
    """Hash question kind, program, task and first prompt to 16 hex digits."""
    digest = hashlib.sha256(f"{task.kind}\0{task.program.id}\0{task.id}\0".encode())
    asked = msgspec.to_builtins(prompt)
    if not asked["schema"]:  # an empty schema is left out, so that older hashes stay valid
        del asked["schema"]
    digest.update(msgspec.json.encode(asked))
    return digest.hexdigest()[:16]
