"""What a dataset holds, as text: its counts, how its runs went, and single traces.

as_text(Path("out"), n_shown=3) -> str
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import islice
from pathlib import Path

import msgspec

from deskcheck.dataset.folder import CONFIG, QUARANTINE, read_config, read_quarantine
from deskcheck.dataset.shards import Summary, summarise
from deskcheck.decontamination.removed import as_text as removed_as_text
from deskcheck.decontamination.removed import read_removed
from deskcheck.errors import UserError
from deskcheck.format.buffers import Packed
from deskcheck.format.shards import MANIFEST, read_manifest, read_packed
from deskcheck.records import Program


def as_text(path: Path, *, n_shown: int = 0) -> str:
    """Summary of a dataset folder, every shard checked; then the first `n_shown` traces, a line each."""
    if not path.exists():
        raise UserError(f"no such folder: {path}")
    if path.suffix == ".deskcheck":
        raise UserError(f"{path} is one saved run, not a dataset; deskcheck view {path} shows it")
    manifest = read_manifest(path) if path.is_dir() else []
    lines: list[str] = []
    if (path / CONFIG).exists():
        config = read_config(path)
        source = {k: v for k, v in _set_fields(config.source).items() if k != "source"}
        lines += [
            f"{path}: {config.source.source} {' '.join(f'{k}={v}' for k, v in source.items())}".rstrip(),
            f"format {config.format_version}, deskcheck {config.deskcheck}, {config.runtime}, "
            f"containment level {config.sandbox}",
        ]
    outcomes: Counter[str] = Counter()
    shown: list[str] = []
    for program, packed in read_packed(path):
        outcomes[str(packed.head.outcome.__struct_config__.tag)] += 1
        if len(shown) < n_shown:
            shown.append(line_of(program, packed))
    if path.is_dir():
        lines.append(summary_text(summarise(manifest)))
    lines.append("outcomes: " + (", ".join(f"{n} {name}" for name, n in outcomes.most_common()) or "none"))
    if path.is_dir() and (path / MANIFEST).exists():
        quarantined = read_quarantine(path)
        lines += [f"in {QUARANTINE}: {len(quarantined)}"] if quarantined else []
        lines += [
            f"  {q.program.call} of {q.program.origin}: {q.outcome.__struct_config__.tag}"
            for q in islice(quarantined, n_shown)
        ]
    return "\n".join(lines + shown)


def summary_text(summary: Summary) -> str:
    """Read, kept, dropped by reason, shards, steps: one line."""
    dropped = ", ".join(f"{n} {reason}" for reason, n in summary.dropped.items())
    return (
        f"read {summary.n_read}, kept {summary.n_kept}, "
        f"dropped {summary.n_read - summary.n_kept}{f' ({dropped})' if dropped else ''}; "
        f"{_count(summary.n_shards, 'shard')}, {_count(summary.n_steps, 'step')}, "
        f"{_count(summary.n_events, 'event')}, {_size(summary.n_bytes)}"
    )


def line_of(program: Program | None, trace: Packed) -> str:
    """One trace for people: call, origin, steps, outcome."""
    call = program.call if program else trace.program_id
    call = call if len(call) <= 60 else call[:57] + "..."
    outcome = trace.outcome.__struct_config__.tag
    origin = program.origin if program else "program not stored"
    return f"  {call}  [{origin}]  {_count(trace.n_steps, 'step')}, {outcome}"


def _size(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:.1f} MB" if n_bytes >= 1e6 else f"{n_bytes / 1e3:.1f} kB"


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _set_fields(options: msgspec.Struct) -> dict[str, object]:
    fields: tuple[str, ...] = options.__struct_fields__
    return {name: value for name in fields if (value := getattr(options, name)) not in ("", 0, [])}


def removed_text(path: Path) -> str:
    """What a dataset or a training run left out as too near to a benchmark, each with both texts.

    The benchmark's text is read from this package or from the folder of public data in DESKCHECK_DATA.
    """
    if not path.is_dir():
        raise UserError(f"no such folder: {path}")
    removed = read_removed(path)
    if not removed:
        return f"{path}: nothing was too near to a benchmark"
    texts = {name: _texts(name) for name in {one.benchmark for one in removed}}
    parts = [removed_as_text(one, texts[one.benchmark].get(one.id, "")) for one in removed]
    counts = Counter((one.benchmark, "the same" if one.same else "near") for one in removed)
    table = [f"{n:6,} {how} {benchmark}" for (benchmark, how), n in sorted(counts.items())]
    return "\n".join([*parts, f"{path}: {len(removed):,} left out", *table])


def _texts(benchmark: str) -> dict[str, str]:
    """The programs of a benchmark by id, as far as they are at hand."""
    from deskcheck.dataset.published import at_hand

    found = {one.id: one.source for one in at_hand(benchmark, os.environ.get("DESKCHECK_DATA", ""))}
    return found
