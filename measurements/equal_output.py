"""Digests of what deskcheck makes: a change of structure must leave every one as it is.

    python measurements/equal_output.py --write before.txt      before the change
    python measurements/equal_output.py --against before.txt    after it: names what differs, exits with 1

Compared are the traces of `examples/` as text and as a file, the shards of a fixed build, the prompts of
three strategies, and the rows of evaluations with a scripted model and `tiny`. Seconds, paths, dates and the
commit are left out. About two minutes of processor time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
RUN_OF_ITS_OWN = {"seconds", "log", "run", "log_reference", "start", "commit", "path"}
ONCE = ("vanilla", "cot", "direct", "scratchpad", "compact", "few-shot", "json-answer", "no-code", "sub")
STEPWISE = ("line-1", "sub", "expression-1", "iip-static", "iip-dynamic", "line-n", "adaptive")


def deskcheck(*words: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """Run one command; what it could not do is part of its output."""
    return subprocess.run([sys.executable, "-m", "deskcheck", *words], cwd=cwd, capture_output=True)


def digest(data: bytes) -> str:
    """Hash bytes by sha256, as hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def rows_of(path: Path) -> bytes:
    """The rows of a results file in a fixed order, without what belongs to one run alone."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    kept = [{name: row[name] for name in sorted(row) if name not in RUN_OF_ITS_OWN} for row in lines]
    return json.dumps(sorted(kept, key=lambda row: json.dumps(row, sort_keys=True))).encode()


def traces(folder: Path) -> Iterator[tuple[str, str]]:
    """Each example as `trace` shows and saves it."""
    for name, call in (("collatz", "f(7)"), ("gcd", "f(48, 18)"), ("steps", "f([1, 2, 3])")):
        shutil.copy(ROOT / "examples" / f"{name}.py", folder)
        words = ["trace", f"{name}.py", "--call", call]
        yield f"trace {name} text", digest(deskcheck(*words, cwd=folder).stdout)
        yield f"trace {name} json", digest(deskcheck(*words, "--format", "json", cwd=folder).stdout)
        deskcheck(*words, "--out", f"{name}.deskcheck", cwd=folder)
        yield f"trace {name} file", digest((folder / f"{name}.deskcheck").read_bytes())


def shards(folder: Path) -> Iterator[tuple[str, str]]:
    """The shards of generated programs under one seed."""
    deskcheck(
        "build", "generated", "--family", "easy", "--n", "60", "--seed", "7", "--out", "built", cwd=folder
    )
    for shard in sorted((folder / "built").rglob("*.parquet")):
        yield f"shard {shard.name}", digest(shard.read_bytes())


def prompts(folder: Path) -> Iterator[tuple[str, str]]:
    """The prompts of strategies that ask once, as `prompts` writes them."""
    for strategy in ("vanilla", "cot", "few-shot"):
        out = folder / f"{strategy}.jsonl"
        deskcheck("prompts", "--strategy", strategy, "--limit", "6", "--out", out.name, cwd=folder)
        yield f"prompts {strategy}", digest(out.read_bytes() if out.is_file() else b"none")


def evaluations(folder: Path) -> Iterator[tuple[str, str]]:
    """The rows of a scripted model and of `tiny`, and of a scripted model asked other questions."""
    answers = json.dumps(["[ANSWER]1[/ANSWER]", "2: n = 1", "line 3: x = [1, 2]; next 4", "None"])
    said = ("--model", "scripted", "-M", f"answers={answers}")
    several = [word for name in dict.fromkeys((*ONCE, *STEPWISE)) for word in ("--strategy", name)]
    kinds = [word for name in ("state", "next-line", "coverage", "input") for word in ("--task", name)]
    trained = [word for name in ("line-1", "direct", "scratchpad") for word in ("--strategy", name)]
    yield from _rows(folder, "scripted strategies", *said, *several, "--max-steps", "40")
    yield from _rows(folder, "scripted questions", *said, *kinds)
    yield from _rows(folder, "tiny", "--model", "tiny", "--benchmark", "easy", *trained)


def _rows(folder: Path, name: str, *words: str) -> Iterator[tuple[str, str]]:
    logs = folder / name.replace(" ", "-")
    done = deskcheck("eval", *words, "--limit", "3", "--log-dir", str(logs), cwd=folder)
    paths = sorted(logs.rglob("results.jsonl"))
    if not paths:
        raise SystemExit(f"{name}: no rows; {done.stderr.decode()[-500:].strip()}")
    for path in paths:
        yield f"rows {name} {path.parent.name[:-9]}", digest(rows_of(path))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--write", help="keep the digests in this file")
    parser.add_argument("--against", help="compare with the digests in this file")
    options = parser.parse_args()
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for make in (traces, shards, prompts, evaluations):
            for name, value in make(Path(folder)):
                lines.append(f"{name}: {value}")
                print(lines[-1], flush=True)
    if options.write:
        Path(options.write).write_text("\n".join(lines) + "\n", encoding="utf-8")
    if not options.against:
        return 0
    before = set(Path(options.against).read_text(encoding="utf-8").splitlines())
    differing = sorted(before ^ set(lines))
    print(f"{len(before & set(lines))} of {len(lines)} equal" if not differing else "\n".join(differing))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
