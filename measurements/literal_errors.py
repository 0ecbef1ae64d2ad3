"""Single steps that two models got wrong, by operation and by how the tokenizer cuts what they write.

    python measurements/literal_errors.py PLAIN SPELLED --tokenizer MODEL [--data FILE]

PLAIN and SPELLED are folders of `deskcheck eval .. --strategy line-1 -S teacher_forcing=true` over the same
tasks: a model trained with `literals=plain` and one with `literals=spelled`. Every step starts from the true
state. A step is `joined` if it writes a value in which a token of the tokenizer holds several letters or
digits of a literal, as spelled literals never do; else `single`, or `none` if it writes no value. The last
column is the paired difference in right steps, clustered by program.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deskcheck.cell_files import CELL, read_cell, read_samples
from deskcheck.evaluation.step_scores import cause
from deskcheck.evaluation.truth import build_tasks
from deskcheck.states.spelling import spelled
from deskcheck.states.steps import whole_run
from deskcheck.statistics.summary import clustered_interval, percent_ends

MOST = 100
"""Steps of a run that are asked, as in `pretrained.py`."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("plain", type=Path, nargs="?")
    parser.add_argument("spelled", type=Path, nargs="?")
    parser.add_argument("--tokenizer", default="", help="a folder or a name on the hub")
    parser.add_argument(
        "--data", default="", help="the file of a benchmark that is not on this machine's hub"
    )
    given = parser.parse_args()
    if given.spelled is None or not given.tokenizer:
        print("not run: name two folders of `deskcheck eval` and --tokenizer")
        return
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(given.tokenizer)
    print("\n".join(table(given.plain, given.spelled, tokenizer, given.data)))


def table(plain: Path, in_pieces: Path, tokenizer: Any, data: str = "") -> Iterator[str]:
    """Yield a row for all steps, for each operation and for each kind of literal."""
    found: dict[str, list[tuple[str, bool, bool]]] = {"all": []}
    for program, names, right in both(plain, in_pieces, tokenizer, data):
        for name in ("all", *names):
            found.setdefault(name, []).append((program, *right))
    yield "| steps | n | programs | wrong, plain | wrong, spelled | right steps, points |"
    yield "|---|---|---|---|---|---|"
    for name, rows in sorted(found.items(), key=lambda item: _order(item[0], len(item[1]))):
        programs = [program for program, *_ in rows]
        change = [float(after) - before for _, before, after in rows]
        interval = clustered_interval(change, programs, bounds=(-1.0, 1.0))
        yield (
            f"| {name} | {len(rows)} | {len(set(programs))} | {sum(not one for _, one, _ in rows)} "
            f"| {sum(not one for *_, one in rows)} "
            f"| {100 * sum(change) / len(change):+.1f} [{percent_ends(interval.low, interval.high)}] |"
        )


def _order(name: str, n: int) -> tuple[bool, bool, int]:
    return name != "all", not name.startswith("literals"), -n


def both(
    plain: Path, in_pieces: Path, tokenizer: Any, data: str = ""
) -> Iterator[tuple[str, tuple[str, str], tuple[bool, bool]]]:
    """Yield (program, (operation, literals), (plain right, spelled right)) for every step of both."""
    folders = [folder_in(plain), folder_in(in_pieces)]
    samples = [{sample.task: sample for sample in read_samples(folder)} for folder in folders]
    if samples[0].keys() != samples[1].keys():
        raise SystemExit(f"{plain} and {in_pieces} hold answers to other tasks")
    asked = read_cell(folders[0]).cell
    made = build_tasks(asked["benchmark"], data=data, options=asked["options"])
    tasks = {task.id: task for task in made.tasks}
    for name in samples[0]:
        chains = [of[name].chain for of in samples]
        start, run = whole_run(tasks[name].truth)
        before = [start, *(state for _, state in run[:-1])]
        for number, (state, (_, after)) in enumerate(zip(before, run[:MOST][:-1], strict=False)):
            right = [number < len(chain) and chain[number] == str(after) for chain in chains]
            written = [
                str(value)
                for frame in after.frames
                for name, value in frame.entries.items()
                if not any(old.entries.get(name) == value for old in state.frames)
            ]
            operation = cause(tasks[name].program.source, state.frames[-1].line)
            yield name, (operation, literals(written, tokenizer)), (right[0], right[1])


def folder_in(place: Path) -> Path:
    """Find the folder of a finished evaluation; SystemExit if there is none."""
    found = next(place.rglob(CELL), None)
    if found is None:
        raise SystemExit(f"{place} holds no finished evaluation; run deskcheck eval .. --log-dir {place}")
    return found.parent


def literals(written: list[str], tokenizer: Any) -> str:
    """Name how a tokenizer cuts the letters and digits of some values."""
    if not written:
        return "literals: none"
    cut = any(joined(text, tokenizer) > joined(spelled(text), tokenizer) for text in written)
    return "literals: joined" if cut else "literals: single"


def joined(text: str, tokenizer: Any) -> int:
    """Count the tokens with several letters or digits."""
    pieces = (tokenizer.decode([token]) for token in tokenizer.encode(text, add_special_tokens=False))
    return sum(sum(char.isalnum() for char in piece) > 1 for piece in pieces)


if __name__ == "__main__":
    main()
