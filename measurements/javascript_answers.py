"""Stored answers about CRUXEval-X in JavaScript and TypeScript, graded again by the language's own equality.

    python measurements/javascript_answers.py FOLDER

FOLDER is laid out as DESKCHECK_DATA/cruxeval-x: js.jsonl, ts.jsonl, and phi-1/js_output.json, ts_input.json,
.. of the repository CRUXEVAL-X/cruxeval-x, or rows of them, packed or not. Predicted inputs run in V8. A
verdict that differs under `strict` (deepStrictEqual) and not under `published` (deepEqual, the rule of the
source) has that rule as its reason; another one has no reason yet.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from deskcheck.evaluation.grade import grade_saved
from deskcheck.evaluation.truth import build_tasks
from deskcheck.importers import read_single

KINDS = ("output", "input")


def file_of(folder: Path, stem: str) -> Path:
    """Return the one file with this stem, whatever it ends with."""
    (path,) = sorted(folder.glob(f"{stem}.json*"))
    return path


def rows(folder: Path) -> Iterator[list[str]]:
    """A row for each language and kind of question that has answers."""
    for language in ("js", "ts"):
        for kind in KINDS:
            if not list((folder / "phi-1").glob(f"{language}_{kind}.json*")):
                yield [language, kind, "no stored answers"]
                continue
            saved = read_single(file_of(folder / "phi-1", f"{language}_{kind}"))
            tasks = build_tasks("cruxeval-x", kind=kind, data=str(file_of(folder, language)))
            strict, published = (
                grade_saved(tasks, saved, policy=policy) for policy in ("strict", "published")
            )
            loose = {(one.task_id, one.sample) for one in published.differences}
            why = Counter(
                "no reason yet"
                if (one.task_id, one.sample) in loose
                else "deepEqual alone"
                if one.stored
                else "read as a text"
                for one in strict.differences
            )
            stored = [verdict for task in saved.stored.values() for verdict in task]
            right = sum(score.verdict == "right" for score in strict.scores)
            met = strict.n_stored - len(strict.differences)
            yield [
                language, kind, f"{sum(map(len, saved.texts.values())):,}", f"{sum(map(bool, stored)):,}",
                f"{right:,}", f"{met:,} of {strict.n_stored:,}", str(dict(why)), named(strict.differences),
            ]  # fmt: skip


def named(differences: list[object]) -> str:
    """Name the tasks on which verdicts differ, at most twelve."""
    return " ".join(str(getattr(one, "task_id", one)) for one in differences[:12])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?")
    given = parser.parse_args()
    if given.folder is None:
        print("not run: FOLDER holds js.jsonl, ts.jsonl and phi-1/ of CRUXEval-X's repository")
        return
    print("| language | asked | answers | stored right | right here | verdicts met | differ | tasks |")
    print("|---|---|---|---|---|---|---|---|")
    for row in rows(given.folder):
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
