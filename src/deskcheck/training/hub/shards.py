"""Store examples as tokens on disk, in files of a few thousand programs that all processes map into memory.

    report = prepare(options, tokenizer, Path("runs/x/examples"), say)      makes the missing parts
    stored = Stored(folder);  stored.row(0)   -> {"input_ids": a view of the mapped file, "labels"}

Each file is a part: an Arrow file (stream format, one batch) with the examples of 8,192 programs. Its line in
`parts.jsonl` counts the programs and examples that were left out. If a run is killed, the next one keeps the
finished parts and makes the others as the first would have. `report.json` is written when all parts are
finished. Examples of one program in one layout are adjacent and share their first `n_shared` tokens. Only the
first process of a training run makes examples; the others wait for its report, so all must see the folder.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, groupby, islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
from msgspec import Struct

from deskcheck.decontamination.near import edition
from deskcheck.decontamination.removed import Removed
from deskcheck.errors import UserError
from deskcheck.format.shards import MANIFEST
from deskcheck.records import Example
from deskcheck.states.steps import NOTATION
from deskcheck.training.data import IGNORE
from deskcheck.training.hub.data import (
    GENERATED,
    HubOptions,
    HubReport,
    conversation,
    other_rows,
    run_examples,
    sources_of,
)
from deskcheck.training.hub.other import Row

Integers = np.ndarray[Any, np.dtype[Any]]
Say = Callable[[str], None]
PROGRAMS = 8192
"""Number of programs in a part; many, because each part stays an open file while it is mapped."""
PARTS, REPORT, PLAN = "parts.jsonl", "report.json", "plan.json"
WAIT = 0.25
"""Seconds between two checks for the report of another process."""
OTHER = -1
"""What stands in the column `layout` for examples of other data (`--set sft=FILE`), which have no layout."""
COLUMNS = {
    "n_prompt": pa.int32(), "n_shared": pa.int32(), "group": pa.int32(), "layout": pa.int16(),
    "form": pa.int64(),
}  # fmt: skip
"""Columns after `input_ids`, with their types.

n_prompt: tokens before the answer. n_shared: tokens shared within the group. group: id of the pair of program
and layout in its part. layout: number of the layout. form: hash of the program up to names and constants
(`form_number`).
"""


class Part(Struct, frozen=True):
    """A line of `parts.jsonl`: counts of the examples in one file and of those left out."""

    file: str
    n_programs: int
    n_examples: int
    counts: dict[str, int]
    removed: list[Removed]
    sha256: str
    """Digest of the columns' bytes."""


class Encoded(Struct):
    """One example in tokens, on its way to disk."""

    ids: Integers
    """Tokens, int32."""
    n_prompt: int
    layout: int
    form: int
    group: int
    n_shared: int = 0


# ------------------------------------------------------------------ making


def prepare(
    options: HubOptions, tokenizer: Any, folder: Path, say: Say, *, first: bool = True, resumes: bool = False
) -> HubReport:
    """Make the examples unless they exist, and return their counts; processes other than the first wait.

    `first`: whether this is the first process. UserError if a resumed run (`resumes`) would get other
    examples, or if no example is left.
    """
    plan = plan_of(options, tokenizer)
    if not first:
        return _awaited(folder, plan)
    if _read(folder / PLAN) != plan:
        if resumes:
            raise UserError(
                f"'{options.data}' gives other examples than when the run in '{folder.parent}' "
                "began; begin anew"
            )
        shutil.rmtree(folder, ignore_errors=True)
    found = _read(folder / REPORT)
    if found is not None:
        return msgspec.convert(found, HubReport)
    existed = folder.parent.exists()
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / PLAN, plan)
    try:
        report = _make(options, tokenizer, folder, say)
    except UserError:
        shutil.rmtree(folder, ignore_errors=True)
        if not existed:
            folder.parent.rmdir()
        raise
    _write(folder / REPORT, msgspec.to_builtins(report))
    return report


def plan_of(options: HubOptions, tokenizer: Any) -> dict[str, Any]:
    """Return everything that the examples depend on, as stored in plan.json."""
    chosen = {name: getattr(options, name) for name in MADE_OF}
    return {
        **chosen,
        "data_sha256": " ".join(map(_source, dict.fromkeys([options.data, *sources_of(options)]))),
        "sft_sha256": _source(options.sft),
        "tokenizer": hashlib.sha256(
            f"{tokenizer.backend_tokenizer.to_str() if tokenizer.is_fast else tokenizer.get_vocab()}"
            f"{tokenizer.chat_template}".encode()
        ).hexdigest(),
        "notation": NOTATION,
        "decontamination": edition(),
    }


MADE_OF = (
    "data", "layouts", "max_examples", "max_length", "seed", "programs", "held_out", "sft", "sft_share",
    "step_in", "literals",
)  # fmt: skip
"""Options that change the examples."""


def _source(data: str) -> str:
    """Return the sha256 of a file or of a dataset's manifest; "" = no file.

    The manifest holds the digests of the dataset's files.
    """
    path = Path(data)
    if not data or data.startswith(f"{GENERATED}:"):
        return ""
    file = path / MANIFEST if path.is_dir() else path
    if not file.is_file():
        return ""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _awaited(folder: Path, plan: dict[str, Any]) -> HubReport:
    """Wait for the first process's report on the same plan, and return it."""
    for waited in count():
        if _read(folder / PLAN) == plan and (report := _read(folder / REPORT)) is not None:
            return msgspec.convert(report, HubReport)
        if waited == 600 / WAIT:  # once, after ten minutes
            print(f"still waiting for the first process's examples: all must see '{folder}'", flush=True)
        time.sleep(WAIT)
    raise AssertionError


def _make(options: HubOptions, tokenizer: Any, folder: Path, say: Say) -> HubReport:
    parts = _finished(folder)
    n_programs = sum(part.n_programs for part in parts)
    if parts:
        say(f"{n_programs:,} programs are in '{folder}' already")
    runs = run_examples(options, skip=n_programs)
    while True:
        counts: Counter[str] = Counter()
        removed: list[Removed] = []
        examples = [
            one
            for number, run in enumerate(islice(runs, PROGRAMS))
            for one in _encoded(run(counts, removed), options, tokenizer, counts, number)
        ]
        if not counts["programs"]:
            break
        part = _write_part(folder, f"part-{len(parts):05}.arrow", examples, counts, removed)
        parts.append(part)
        n_programs += counts["programs"]
        if counts["programs"] == PROGRAMS:
            say(f"{n_programs:,} programs, {sum(one.n_examples for one in parts):,} examples on disk")
    return _finish(options, tokenizer, folder, parts)


def _finish(options: HubOptions, tokenizer: Any, folder: Path, parts: list[Part]) -> HubReport:
    """Choose the held-out programs, add the share of other data, and count."""
    counts: Counter[str] = Counter()
    for part in parts:
        counts.update(part.counts)
    own = Stored(folder, parts)
    held = held_out(own, options)
    kept = ~held
    n_own = int(kept.sum())
    if not n_own:
        raise UserError(
            f"no example of '{options.data}' is left to train on: {dict(counts)}; check --layouts, "
            "--set max_length, --set held_out, and `deskcheck data`"
        )
    removed = [one for part in parts for one in part.removed]
    other: list[Encoded] = []
    rows = other_rows(options, n_own, lambda row: len(tokens(row, tokenizer)[0]), counts, removed)
    for number, row in enumerate(rows):
        ids, n_prompt = tokens(row, tokenizer)
        other.append(Encoded(ids, n_prompt, OTHER, 0, number))
    if other:
        parts = [*parts, _write_part(folder, "other.arrow", other, Counter(), [])]
    _write(folder / "removed.json", msgspec.to_builtins(removed))
    layouts, n = np.unique(own.layout[kept], return_counts=True)
    n_loss = int((own.n_all - own.n_prompt)[kept].sum()) + sum(len(o.ids) - o.n_prompt for o in other)
    return HubReport(
        n_programs=counts["programs"],
        n_in_evaluation=counts["in evaluation"],
        n_near=counts["near"],
        n_sft_in_evaluation=counts["sft in evaluation"],
        n_unusable=counts["unusable"],
        n_not_finer=counts["not finer"],
        n_other_split=counts["other split"],
        n_not_drawn=counts["not drawn"],
        n_examples=counts["examples"],
        n_too_long=counts["too long"],
        n_kept=len(own),
        by_layout={options.layouts[k]: int(count) for k, count in zip(layouts, n, strict=True)},
        n_sft=len(other),
        n_tokens=int(own.n_all[kept].sum()) + sum(len(one.ids) for one in other),
        n_loss=n_loss,
        n_held_out=int(held.sum()),
        n_held_out_programs=len(np.unique(own.form[held])),
        digest=hashlib.sha256("".join(p.sha256 for p in parts).encode()).hexdigest()[:16],
    )


def _encoded(
    examples: Iterable[tuple[Example, int]],
    options: HubOptions,
    tokenizer: Any,
    counts: Counter[str],
    number: int,
) -> Iterator[Encoded]:
    """Yield the examples of one program that are short enough, with their number of shared tokens."""
    for layout, some in groupby(examples, key=lambda pair: pair[0].layout):
        at = options.layouts.index(layout)
        group: list[Encoded] = []
        for example, form in some:
            counts["examples"] += 1
            ids, n_prompt = tokens(conversation(example, options), tokenizer)
            if len(ids) > options.max_length:
                counts["too long"] += 1
            else:
                group.append(Encoded(ids, n_prompt, at, form, number * len(options.layouts) + at))
        n_shared = shared(
            [piece.ids for piece in group],
            [piece.n_prompt for piece in group],
        )
        for piece in group:
            piece.n_shared = n_shared
        yield from group


def tokens(row: Row, tokenizer: Any) -> tuple[Integers, int]:
    """Return the tokens (int32) of prompt and completion, and the number of tokens before the answer."""
    prompt = tokenizer.apply_chat_template(row["prompt"], add_generation_prompt=True, tokenize=False)
    whole = tokenizer.apply_chat_template(row["prompt"] + row["completion"], tokenize=False)
    found = tokenizer([prompt, whole], add_special_tokens=False).input_ids
    before, ids = (np.asarray(one, np.int32) for one in found)
    return ids, _common(before, ids)


def shared(ids: Sequence[Integers], n_prompt: Sequence[int]) -> int:
    """Count the first tokens that all examples share, without the last token before an answer."""
    if len(ids) < 2:
        return 0
    return max(0, min(min(n_prompt) - 1, *(_common(ids[0], one) for one in ids[1:])))


def _common(a: Integers, b: Integers) -> int:
    n = min(len(a), len(b))
    differ = a[:n] != b[:n]
    return int(differ.argmax()) if differ.any() else n


# ------------------------------------------------------------------ files


def _write_part(
    folder: Path, file: str, examples: list[Encoded], counts: Counter[str], removed: list[Removed]
) -> Part:
    """Write one Arrow file, whole or not at all, and then its line in `parts.jsonl`."""
    offsets = np.zeros(len(examples) + 1, np.int64)
    np.cumsum([len(one.ids) for one in examples], out=offsets[1:])
    values = np.concatenate([np.zeros(0, np.int32), *(one.ids for one in examples)])
    columns = {
        name: np.array([getattr(one, name) for one in examples], kind.to_pandas_dtype())
        for name, kind in COLUMNS.items()
    }
    digest = hashlib.sha256(values.tobytes() + offsets.tobytes())
    for column in columns.values():
        digest.update(column.tobytes())
    lists = pa.LargeListArray.from_arrays(pa.array(offsets), pa.array(values))
    batch = pa.record_batch({"input_ids": lists, **{name: pa.array(c) for name, c in columns.items()}})
    part = folder / f"{file}.part"
    with pa.OSFile(str(part), "wb") as sink, pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    part.replace(folder / file)
    made = Part(file, counts["programs"], len(examples), dict(counts), removed, digest.hexdigest())
    with (folder / PARTS).open("ab") as lines:
        lines.write(msgspec.json.encode(made) + b"\n")
    return made


def _finished(folder: Path) -> list[Part]:
    """Read the finished parts, and remove from `parts.jsonl` a torn line and the line of other data.

    Other data is made again.
    """
    path = folder / PARTS
    if not path.is_file():
        return []
    *lines, torn = path.read_bytes().split(b"\n")
    found = [msgspec.json.decode(line, type=Part) for line in lines]
    own = [part for part in found if part.n_programs]
    if torn or len(own) < len(found):
        path.write_bytes(b"".join(msgspec.json.encode(part) + b"\n" for part in own))
    return own


def read_parts(folder: Path) -> list[Part]:
    """Read all parts of a finished folder."""
    return [
        msgspec.json.decode(line, type=Part) for line in (folder / PARTS).read_bytes().split(b"\n") if line
    ]


def read_removed(folder: Path) -> list[Removed]:
    """Read the programs and rows that were left out as too near to a benchmark."""
    return msgspec.convert(_read(folder / "removed.json") or [], list[Removed])


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _write(path: Path, value: Any) -> None:
    part = path.with_suffix(".part")
    part.write_text(json.dumps(value) + "\n", encoding="utf-8")
    part.replace(path)


# ------------------------------------------------------------------ reading


class Stored:
    """The stored examples of a folder by number, in the order in which they were made."""

    def __init__(self, folder: Path, parts: list[Part] | None = None) -> None:
        parts = read_parts(folder) if parts is None else parts
        self._batches = [_mapped(folder / part.file) for part in parts]
        self._lists = [
            (batch.column("input_ids").values.to_numpy(), batch.column("input_ids").offsets.to_numpy())
            for batch in self._batches
        ]
        sizes = [batch.num_rows for batch in self._batches]
        self._starts = np.cumsum([0, *sizes])
        self.n_all: Integers = _joined([np.diff(offsets).astype(np.int32) for _, offsets in self._lists])
        """int32 (examples): number of tokens."""
        self.n_prompt, self.n_shared, self.layout, self.form = (
            _joined([batch.column(name).to_numpy() for batch in self._batches])
            for name in ("n_prompt", "n_shared", "layout", "form")
        )
        groups, before = [], 0
        for batch in self._batches:
            group_of = batch.column("group").to_numpy()
            groups.append(group_of.astype(np.int32) + before)
            before += int(group_of.max()) + 1 if len(group_of) else 0
        self.group: Integers = _joined(groups)
        """int32 (examples): id of the pair of program and layout."""

    def __len__(self) -> int:
        return int(self._starts[-1])

    def row(self, number: int) -> dict[str, Integers]:
        """Return `input_ids` (int32) and `labels` (int64, IGNORE before the answer) of one example."""
        part = int(np.searchsorted(self._starts, number, "right")) - 1
        values, offsets = self._lists[part]
        at = number - int(self._starts[part])
        ids = values[offsets[at] : offsets[at + 1]]
        labels = ids.astype(np.int64)
        labels[: self.n_prompt[number]] = IGNORE
        return {"input_ids": ids, "labels": labels}

    def shared(self, number: int) -> int:
        """Return the number of tokens that the example shares with the others of its group."""
        return int(self.n_shared[number])


def _mapped(path: Path) -> pa.RecordBatch:
    return next(iter(pa.ipc.open_stream(pa.memory_map(str(path)))))


def _joined(arrays: list[Integers]) -> Integers:
    return np.concatenate(arrays) if arrays else np.zeros(0, np.int32)


def held_out(stored: Stored, options: HubOptions) -> Integers:
    """Return for each example whether it is held out; programs of the same form are held out together."""
    if not options.held_out:
        return np.zeros(len(stored), np.bool_)

    def order(form: int) -> str:
        return hashlib.sha256(f"{options.seed}:{form}".encode()).hexdigest()

    own = stored.layout != OTHER
    forms = sorted(np.unique(stored.form[own]).tolist(), key=order)
    if len(forms) <= options.held_out:
        raise UserError(
            f"--set held_out={options.held_out}: '{options.data}' has {len(forms)} programs (up to names and "
            "constants) with examples, and some must be left to train on"
        )
    found: Integers = np.isin(stored.form, forms[: options.held_out]) & own
    return found
