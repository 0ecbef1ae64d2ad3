"""What an evaluation keeps on disk between runs: the executed truth of programs, and every answer of a model.

    store = open_store(Limits())                 the folder of this user; None without Parquet
    for program, trace in store.runs(programs, run): ...      `run` is asked for what is not kept yet
    kept = Kept.open(folder);  kept.find(task_id, sample, asked)  -> Attempt | None;  kept.add(...)
    with locked(folder): ..     one run at a time asks a cell; another one is refused and told so

Truth: a program is run once; columns are read when they are needed. A folder for each key, and the key says
everything that can change a trace: limits, versions of Python and of the format, the code that records, the
level of the sandbox. In it are shards of traces (`format.shards`), looked up by program. A trace from here
holds its columns only while somebody reads them, so that a benchmark of any size fits into memory. What
another run may not repeat is never kept: time limits, crashes, refusals, programs that read the clock or
chance. A file that cannot be read counts as absent.

Answers: one JSON line per sample, appended as it comes, so that nothing paid for is asked again. A line is
found again only under the same question (a hash over program and first prompt), so a changed data file or
prompt is asked anew. Attempts that ended in an error of the model are not found: the next run asks them
again. The last line may be torn by a kill; it is ignored. The chain of a step loop is stored once, as
columns.
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
    Attempt,
    CompileFailure,
    Completion,
    Limits,
    NoAnswer,
    Program,
    Prompt,
    Raised,
    Returned,
    StepLimit,
    Task,
    Trace,
)

VARIABLE = "DESKCHECK_TRUTH"
"""Environment variable: the folder (else `deskcheck/truth` of the user's cache), or "off"."""
SHARD_CELLS = 1_000_000
"""Numbers (8 bytes) of a shard, which is read whole."""
SHARD_ROWS = 500
"""Traces of a shard."""
OPEN_CELLS = 1_000_000
"""Numbers of the traces that are held ready."""
_REPEATABLE = (Returned, Raised, StepLimit, CompileFailure)
_RECORDERS = ("tracing", "sandbox", "format", "records")

Run = Callable[[Iterable[Program]], Iterator[tuple[Program, Packed]]]


def open_store(limits: Limits) -> TruthStore | None:
    """The store of this user for runs under these limits; None where Parquet is not installed.

    Where it is off, or its folder cannot be written, what is kept goes when the store does.
    """
    if importlib.util.find_spec("pyarrow") is None:
        return None
    named = os.environ.get(VARIABLE, "")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = (Path(named) if named else home / "deskcheck" / "truth") / key_of(limits)
    if named != "off":
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return TruthStore(folder)
    aside = Path(tempfile.mkdtemp(prefix="deskcheck-truth-"))
    store = TruthStore(aside)
    weakref.finalize(store, shutil.rmtree, aside, ignore_errors=True)
    return store


def key_of(limits: Limits) -> str:
    """16 hex digits over everything but the program that can change a trace."""
    from deskcheck.sandbox.containment import level

    facts = [msgspec.json.encode(limits).decode(), platform.python_version(), FORMAT_VERSION, level()]
    return hashlib.sha256(msgspec.json.encode([*facts, _recorders()])).hexdigest()[:16]


@cache
def _recorders() -> str:
    """Hash of the code that runs and records, compiled parts included."""
    digest = hashlib.sha256()
    package = Path(__file__).parents[1]
    for name in _RECORDERS:
        for path in sorted((package / name).rglob("*")):
            if path.suffix in (".py", ".so", ".pyd"):
                digest.update(path.name.encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


class TruthStore:
    """Traces of one key. Memory: the shard being filled, the last one read, and a few open traces."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._where: dict[str, tuple[Path, int]] = {}
        self._filling: dict[str, tuple[Program, Packed]] = {}
        self._filling_cells = 0
        self._read: tuple[Path, list[Packed]] = (Path(), [])
        self._open: OrderedDict[str, Trace] = OrderedDict()
        self._open_cells: dict[str, int] = {}
        self._lock = RLock()
        for path in sorted(folder.glob("*.parquet")):
            with contextlib.suppress(CorruptShard):
                for row, identity in enumerate(_ids_of(path)):
                    self._where.setdefault(identity, (path, row))

    def __contains__(self, program: Program) -> bool:
        """Whether this program need not run."""
        return program.id in self._where or program.id in self._filling

    def runs(self, programs: Iterable[Program], run: Run) -> Iterator[tuple[Program, Trace]]:
        """Every program with its trace, in order; `run` gets those that are not kept, as a stream."""
        waiting = list(programs)
        missing = {one.id: one for one in waiting if one not in self}
        ran = run(list(missing.values()))
        alone: dict[str, Trace] = {}
        try:
            for program in waiting:
                if program.id in missing:
                    del missing[program.id]
                    _, packed = next(ran)
                    if is_repeatable(packed):
                        self._filling[program.id] = (program, packed)
                        self._filling_cells += packed.n_cells
                    else:
                        alone[program.id] = view_of(packed)
                # Opened before it is written: a large one is not read back at once.
                trace = alone[program.id] if program.id in alone else self._late(program.id)
                if not missing or self._is_full():
                    self.flush()
                yield program, trace
        finally:  # also where nobody wants the rest
            self.flush()

    def flush(self) -> None:
        """Write what has been gathered: one file, whole or not at all."""
        import pyarrow as pa

        from deskcheck.format.shards import write_packed

        with self._lock:
            if not self._filling:
                return
            name = hashlib.sha256("\n".join(self._filling).encode()).hexdigest()[:16]
            path = self.folder / f"{name}.parquet"
            write_packed(path, list(self._filling.values()))
            self._where |= {identity: (path, row) for row, identity in enumerate(self._filling)}
            self._filling, self._filling_cells = {}, 0
            pa.default_memory_pool().release_unused()

    def read(self, identity: str) -> Trace:
        """The whole trace of a program by its id (`view_of`). CorruptShard where its file is gone."""
        with self._lock:
            if identity in self._open:
                self._open.move_to_end(identity)
                return self._open[identity]
            packed = self._packed(identity)
            trace = view_of(packed)
            self._open[identity] = trace
            self._open_cells[identity] = packed.n_cells
            while len(self._open) > 1 and sum(self._open_cells.values()) > OPEN_CELLS:
                oldest, _ = self._open.popitem(last=False)
                del self._open_cells[oldest]
            return trace

    def _packed(self, identity: str) -> Packed:
        from deskcheck.format.shards import read_packed

        if identity in self._filling:
            return self._filling[identity][1]
        path, row = self._where[identity]
        if self._read[0] != path:
            self._read = (Path(), [])
            self._read = (path, [packed for _, packed in read_packed(path)])
        packed = self._read[1][row]
        if packed.program_id != identity:
            raise CorruptShard(f"{path} changed while it was in use; run the same command again")
        return packed

    def _is_full(self) -> bool:
        return self._filling_cells >= SHARD_CELLS or len(self._filling) >= SHARD_ROWS

    def _late(self, identity: str) -> Trace:
        """The trace without its columns, which are read when they are asked for."""
        trace = self.read(identity)
        n = len(trace.events.step), trace.n_steps
        late = {group: _Late(self, identity, group, n) for group in GROUPS}
        return msgspec.structs.replace(trace, **late)


def is_repeatable(packed: Packed) -> bool:
    """Whether another run would give the same trace."""
    return isinstance(packed.outcome, _REPEATABLE) and not packed.head.determinism.reads


def _ids_of(path: Path) -> list[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        found: list[str] = pq.read_table(path, columns=["program_id"])["program_id"].to_pylist()
    except (OSError, ValueError, KeyError, pa.ArrowException) as error:
        raise CorruptShard(f"{path}: {error}") from error
    return found


class _Late:
    """A group of columns that is somewhere else until one of them is asked for."""

    __slots__ = ("_group", "_identity", "_n", "_store")

    def __init__(self, store: TruthStore, identity: str, group: str, n: tuple[int, int] = (0, 0)) -> None:
        self._store, self._identity, self._group, self._n = store, identity, group, n

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._whole(), name)

    @property
    def step(self) -> Sequence[int]:
        """The column that every task is asked for: its last entry is the number of steps."""
        return _Steps(self._n, self._whole)

    def __eq__(self, other: object) -> bool:
        return bool(self._whole() == (other._whole() if isinstance(other, _Late) else other))

    def __hash__(self) -> int:
        return hash((self._identity, self._group))

    def _whole(self) -> Any:
        return getattr(self._store.read(self._identity), self._group)


class _Steps(Sequence[int]):
    """The column `events.step`: its length and last entry are known, the others are read."""

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
    """The completions of one sample as columns, one entry a call."""

    text: list[str]
    finish: list[str]
    tokens_in: list[int]
    tokens_out: list[int]
    latency_s: list[float]
    hidden: list[int] = []
    """Empty where no call reported any."""
    logprob: list[float] = []
    """Empty where no call reported one."""


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
    """The chain is the text of the calls, word for word, and not stored twice."""
    apart: int = -1


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a cell's folder. UserError where another run holds it; the system lets go when a run dies."""
    folder.mkdir(parents=True, exist_ok=True)
    held = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                raise UserError(
                    f"another run is asking {folder}: its answers would be paid for twice; wait for it, or "
                    "name another --log-dir"
                ) from None
            # A file system without locks: as without this.
        yield
    finally:
        os.close(held)


class Kept:
    """The answers of one cell: read at the beginning, appended to as samples finish."""

    is_paid = False
    """Each answer is on the disk before the next one counts: it cost money."""

    def __init__(self, path: Path, lines: dict[tuple[str, int], Line]) -> None:
        self.path = path
        self.lines = lines
        self._file: BufferedWriter | None = None

    @classmethod
    def open(cls, folder: Path) -> Kept:
        """Read what a folder has; a folder without answers is an empty start."""
        path = folder / FILE
        return cls(path, {(line.task, line.sample): line for line in read_lines(path)})

    def find(self, task_id: str, sample: int, asked: str) -> Attempt | None:
        """The finished attempt at exactly this question."""
        line = self.lines.get((task_id, sample))
        if line is None or line.asked != asked:
            return None
        if isinstance(line.answer, NoAnswer) and line.answer.reason == "error":
            return None
        return as_attempt(line)

    def add(self, task_id: str, sample: int, asked: str, attempt: Attempt) -> None:
        """Append one finished sample; it is on its way to the disk when this returns."""
        line = as_line(task_id, sample, asked, attempt)
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            _end_torn_line(self.path)
            self._file = self.path.open("ab")
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()  # a sample is asked once a run: nobody looks for it again
        if self.is_paid:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Flush the stored answers to the disk."""
        if self._file is not None:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._file = None


def read_lines(path: Path) -> Iterator[Line]:
    """All whole lines; what a kill tore is skipped, because it was never finished."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for text in file:
            try:
                yield msgspec.json.decode(text, type=Line)
            except msgspec.MsgspecError:
                continue


def _end_torn_line(path: Path) -> None:
    if path.exists() and path.stat().st_size:
        with path.open("rb+") as file:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")


def as_line(task_id: str, sample: int, asked: str, attempt: Attempt) -> Line:
    """What a line of the file of answers keeps of an attempt; a chain equal to its replies is kept once."""
    texts = [completion.text for completion in attempt.completions]
    calls = Calls(
        text=texts,
        finish=[completion.finish_reason for completion in attempt.completions],
        tokens_in=[completion.n_tokens_in for completion in attempt.completions],
        tokens_out=[completion.n_tokens_out for completion in attempt.completions],
        latency_s=[completion.latency_s for completion in attempt.completions],
        hidden=_told([completion.n_tokens_hidden for completion in attempt.completions], -1),
        logprob=_told([completion.logprob for completion in attempt.completions], 1.0),
    )
    same = bool(attempt.chain) and attempt.chain == texts
    chain = [] if same else attempt.chain
    return Line(task_id, sample, asked, attempt.answer, calls, chain, same, attempt.apart)


def as_attempt(line: Line) -> Attempt:
    """The attempt that a line was made from."""
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
        strict=True,
    )
    completions = [Completion(*row) for row in rows]
    chain = list(columns.text) if line.chain_is_text else line.chain
    return Attempt(line.answer, completions, chain, line.apart)


def _told(column: list[_Number], unknown: _Number) -> list[_Number]:
    return [] if all(entry == unknown for entry in column) else column


def question_hash(task: Task, prompt: Prompt) -> str:
    """16 hex digits over kind, program, task and first prompt: another question has another hash."""
    digest = hashlib.sha256(f"{task.kind}\0{task.program.id}\0{task.id}\0".encode())
    asked = msgspec.to_builtins(prompt)
    if not asked["schema"]:  # so that answers to prompts without one keep their hash
        del asked["schema"]
    digest.update(msgspec.json.encode(asked))
    return digest.hexdigest()[:16]
