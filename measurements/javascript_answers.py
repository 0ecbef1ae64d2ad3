"""Stored answers about CRUXEval-X in JavaScript and TypeScript, graded again by the language's own equality.

    python measurements/javascript_answers.py FOLDER

FOLDER is laid out as DESKCHECK_DATA/cruxeval-x: js.jsonl, ts.jsonl, and phi-1/js_output.json, ts_input.json,
.. of the repository CRUXEVAL-X/cruxeval-x, or rows of them, packed or not. Predicted inputs run in V8. A
verdict that differs under `strict` (deepStrictEqual) and not under `published` (deepEqual, the rule of the
source) has that rule as its reason. A call that is right here and was recorded with an error has that error
as its reason: the source gives "SyntaxError" to every program on which `tsc --target esnext` fails, whatever
the compiler says of it. With `tsc` (npm's typescript) on the PATH these programs are compiled again, and the
codes of its first messages are counted.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deskcheck.evaluation.grade import Difference, grade_saved
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
            recorded = recorded_rows(file_of(folder / "phi-1", f"{language}_{kind}"))
            why: Counter[str] = Counter()
            refused: Counter[str] = Counter()
            for one in strict.differences:
                row = recorded[one.task_id.removeprefix(f"{language}-")]
                why[reason(one, row, in_both=(one.task_id, one.sample) in loose)] += 1
                if row.get("error") == "SyntaxError" and "code" in row:
                    refused[compiled(row["code"])] += 1
            stored = [verdict for task in saved.stored.values() for verdict in task]
            right = sum(score.verdict == "right" for score in strict.scores)
            met = strict.n_stored - len(strict.differences)
            yield [
                language, kind, f"{sum(map(len, saved.texts.values())):,}", f"{sum(map(bool, stored)):,}",
                f"{right:,}", f"{met:,} of {strict.n_stored:,}", counted(why), counted(refused),
                named(strict.differences),
            ]  # fmt: skip


def recorded_rows(path: Path) -> dict[str, dict[str, Any]]:
    """Return the rows of a file of stored answers by the number of their task."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    text = data.decode("utf-8")
    rows = json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]
    return {str(row["id"]): row for row in rows}


def reason(difference: Difference, row: dict[str, Any], *, in_both: bool) -> str:
    """Return why a verdict differs from the stored one; "no reason yet" if no rule here says."""
    if difference.verdict == "right" and row.get("error"):
        return f"right here, recorded as {row['error']}"
    return "deepEqual alone" if difference.stored and not in_both else "no reason yet"


def compiled(source: str) -> str:
    """Compile a program as its source did; return the code of the first message, or what there is instead."""
    compiler = shutil.which("tsc")
    if compiler is None:
        return "not compiled again: no tsc"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.ts")
        path.write_text(source, encoding="utf-8")
        words = [compiler, "--target", "esnext", str(path)]
        printed = subprocess.run(words, capture_output=True, text=True, timeout=60).stdout
    codes = re.findall(r"error (TS\d+)", printed)
    return codes[0] if codes else "compiles"


def counted(counts: Counter[str]) -> str:
    """Write reasons with their numbers, most frequent first."""
    return ", ".join(f"{name} {n}" for name, n in counts.most_common())


def named(differences: list[Difference]) -> str:
    """Name the tasks on which verdicts differ, at most twelve."""
    return " ".join(one.task_id for one in differences[:12])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?")
    given = parser.parse_args()
    if given.folder is None:
        print("not run: FOLDER holds js.jsonl, ts.jsonl and phi-1/ of CRUXEval-X's repository")
        return
    print(
        "| language | asked | answers | stored right | right here | verdicts reproduced | differ "
        "| tsc | tasks |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for row in rows(given.folder):
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
