"""Make instruction data for `pretrained.py`: a function's head and docstring ask for it, its code answers.

    python measurements/docstrings.py WHEEL_OR_FOLDER.. --out rows.jsonl --n 2000 --seed 0

Taken are module-level functions of 2 to 30 statements and up to 1,200 characters without decorators, whose
docstring has 30 characters or more; of equal ones one. It prints how many were found. A row is
{"instruction": text, "output": code}. `train --set sft=FILE` leaves out rows near to a benchmark.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import sys
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path

ASKED = "Write this Python function. Answer with its code alone."
STATEMENTS = range(2, 31)
CHARACTERS = 1_200
DESCRIBED = 30


def main() -> int:
    """Read every source and write the drawn rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("places", type=Path, nargs="*", help="wheels, or folders of Python files")
    parser.add_argument("--out", type=Path, default=Path("rows.jsonl"))
    parser.add_argument("--n", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if not given.places:
        print("not run: name wheels or folders")
        return 0
    if other := [str(one) for one in given.places if not (one.is_dir() or zipfile.is_zipfile(one))]:
        raise SystemExit(f"neither a wheel nor a folder: {', '.join(other)}")
    found = sorted({row for place in given.places for text in sources(place) for row in rows(text)})
    drawn = random.Random(given.seed).sample(found, min(given.n, len(found)))
    written = [json.dumps({"instruction": asked, "output": code}) + "\n" for asked, code in drawn]
    given.out.write_text("".join(written), encoding="utf-8")
    print(f"{len(found):,} functions with docstrings in {len(given.places)} places; {len(drawn):,} drawn")
    return 0


def sources(place: Path) -> Iterator[str]:
    """Yield the texts of all Python files in a wheel or a folder, tests excepted."""
    if place.is_dir():
        for file in sorted(place.rglob("*.py")):
            if "test" not in str(file.relative_to(place)):
                yield file.read_text(encoding="utf-8", errors="replace")
        return
    with zipfile.ZipFile(place) as wheel:
        for name in sorted(wheel.namelist()):
            if name.endswith(".py") and "test" not in name:
                yield wheel.read(name).decode(errors="replace")


def rows(source: str) -> Iterator[tuple[str, str]]:
    """Yield (instruction, answer) of each function that is taken."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or node.decorator_list:
            continue
        described = ast.get_docstring(node)
        n_statements = sum(isinstance(one, ast.stmt) for one in ast.walk(node)) - 2  # def and docstring
        if described is None or len(described) < DESCRIBED or n_statements not in STATEMENTS:
            continue
        body, node.body = node.body, node.body[:1]
        asked = ast.unparse(node)
        node.body = body[1:]
        code = ast.unparse(node)
        if len(asked) + len(code) <= CHARACTERS:
            yield f"{ASKED}\n\n{asked}", code


if __name__ == "__main__":
    sys.exit(main())
