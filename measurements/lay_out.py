"""Lay out everything behind docs/results.md and docs/audit.md, from public repositories at pinned commits.

    python measurements/lay_out.py --out DIR                             clones what it needs
    python measurements/lay_out.py --out DIR --git re2-bench=PLACE ..    PLACE: a git directory or URL
    python measurements/lay_out.py --out DIR --problems FILE             LiveCodeBench's tasks, from a file
    python measurements/real_models.py --data DIR --check

A URL and a local git directory take the same way: the pinned commit is read, nothing is checked out. Nothing
of these repositories ships with this project. LiveCodeBench's 479 tasks come from the hub; everything else
from git. A source whose repository cannot be had is named, and the command ends with 1.
"""

from __future__ import annotations

import argparse
import ast
import datetime
import gzip
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

import re2_tree
from deskcheck.benchmarks import livecodebench_exec
from deskcheck.data_files import rows_of
from deskcheck.errors import DeskcheckError
from re2_tree import write_rows
from repositories import Repository, Tree, opened

LEFT_OUT = ("claude-2", "deepseek-instruct-33b", "Claude-2", "DSCoder-33b-Ins")
"""Models whose answers the pages do not use."""
TOO_LARGE = {
    "generations": ("codellama-7b+cot", "codellama-13b+cot", "codellama-34b+cot"),
    "generations-input": ("codellama-7b+cot", "codellama-34b+cot"),
}
"""Runs whose files some copies of the repository lack; the pages do without them."""
SAME = ("magicoder-ds-7b",)
"""Runs whose outputs are those of another run, answer for answer."""


class Source(Struct, frozen=True):
    """A repository, its commit, and the function that writes the files taken from it."""

    repository: Repository
    write: Callable[[Tree, Path], int]
    """Function that writes the files of a tree under DIR and returns their number."""


def _copied(tree: Tree, path: str, to: Path, *, packed: bool = False) -> int:
    content = tree.read(path)
    if content is None:
        raise SystemExit(f"{path} is not in this copy of the repository; take one that is whole")
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_bytes(gzip.compress(content, mtime=0) if packed else content)
    return 1


def _cruxeval(tree: Tree, out: Path) -> int:
    _copied(tree, "data/cruxeval.jsonl", out / "cruxeval/cruxeval.jsonl")
    for kind in ("input", "output"):
        name = f"sample_scored_codellama-7b_temp0.2_{kind}.json"
        _copied(tree, f"samples/evaluation_results/{name}", out / "cruxeval" / name)
    return 3


def _livecodebench(tree: Tree, out: Path) -> int:
    folder, n_files = out / "livecodebench-exec", 0
    kinds = (
        (r"evaluation/evaluation_results/(.+)_temp0\.2_output\.json", "generations"),
        (r"model_generations/(.+)_temp0\.2_input/generations\.json", "generations-input"),
    )
    for pattern, name in kinds:
        for path in tree.paths(pattern):
            run = re.fullmatch(pattern, path).group(1)  # type: ignore[union-attr]  # `paths` matched it
            if run.removesuffix("+cot") in LEFT_OUT or run in TOO_LARGE[name]:
                continue
            if name == "generations" and run in SAME:
                continue
            to = folder / name / f"{run}.json.gz"
            if name == "generations":
                n_files += _copied(tree, path, to, packed=True)
                continue
            texts = tree.text(path)
            if texts is not None:
                to.parent.mkdir(parents=True, exist_ok=True)
                found = json.dumps({"raw_generations": json.loads(texts)}).encode()
                to.write_bytes(gzip.compress(found, mtime=0))
                n_files += 1
    return n_files


def _leaderboard(tree: Tree, out: Path) -> int:
    stored = json.loads(tree.text("src/mocks/performances_execution.json") or "{}")["performances"]
    rows = [
        {
            "model": row["model"], "task": row["sample_id"], "question_id": row["question_id"],
            "date": str(datetime.datetime.fromtimestamp(row["date"] / 1000, datetime.UTC).date()),
            "pass1": row["Pass@1"], "pass1_cot": row.get("Pass@1-COT"),
        }
        for row in stored
        if row["model"] not in LEFT_OUT
    ]  # fmt: skip
    write_rows(out / "livecodebench-site/performances-execution.jsonl.gz", rows)
    return 1


def _cruxeval_x(tree: Tree, out: Path) -> int:
    folder = out / "cruxeval-x"
    for language in ("js", "lua", "py"):
        _copied(
            tree,
            f"datasets/cruxeval_preprocessed/{language}.jsonl",
            folder / f"{language}.jsonl.gz",
            packed=True,
        )
        for kind in ("input", "output"):
            stored = json.loads(tree.text(f"infer_results/phi-1/{language}_{kind}.json") or "[]")
            rows = [
                {"id": row["id"], "answer": row.get("answer"), "right": row["res"], "error": row.get("error")}
                for row in stored
            ]
            write_rows(folder / "phi-1" / f"{language}_{kind}.jsonl.gz", rows)
    return 9


def _exerscope(tree: Tree, out: Path) -> int:
    """Write each model's answers to CRUXEval into one file, in the order of its verdicts' tasks."""
    verdicts = r"Experiment_Results/result_stat/ER/(.+)_cruxeval\.json"
    n_files = 0
    for path in tree.paths(verdicts):
        model = re.fullmatch(verdicts, path).group(1)  # type: ignore[union-attr]  # `paths` matched it
        folder = f"Experiment_Results/ER/{model}/cruxeval"
        right = json.loads(tree.text(path) or "{}")
        tasks = sorted({one.split("/")[-2] for one in tree.paths(rf"{folder}/.*\.txt")}, key=_number)
        if tasks:
            rows = [
                {
                    "id": task, "response": tree.text(f"{folder}/{task}/response.txt"),
                    "predict": tree.text(f"{folder}/{task}/predict.txt"), "right": right.get(task, 0),
                }
                for task in tasks
            ]  # fmt: skip
            write_rows(out / "exerscope" / f"{model}.jsonl.gz", rows)
            n_files += 1
    return n_files


def _number(task: str) -> int:
    return int(task.rpartition("_")[2])


def _qwen(tree: Tree, out: Path) -> int:
    folder = "qwencoder-eval/base/outptus/qwen2.5-coder"
    for size, kind in (("7b", "output"), ("7b", "input"), ("1.5b", "output")):
        for part in ("completion", "completion_raw", "completion_scored"):
            to = out / "qwen2.5-coder" / f"{size}-{kind}-{part}.json.gz"
            _copied(tree, f"{folder}/{size}-base/cruxeval/{kind}-cot/{part}.json", to, packed=True)
    return 9


def _doocs(tree: Tree, out: Path) -> int:
    """Write the contest problems that LiveCodeBench draws from, as far as their pages state a complexity."""
    rows = []
    for path in tree.paths(r"solution/2[6-9]00-2[6-9]99/[^/]+/README_EN\.md"):
        english, chinese = tree.text(path) or "", tree.text(path.replace("README_EN", "README")) or ""
        python = re.search(r"#### Python3\s+```python\n(.*?)\n```", english, re.DOTALL)
        time = re.search(r"\u65f6\u95f4\u590d\u6742\u5ea6[^$\n]*\$(.*?)\$", chinese)  # "time complexity"
        if python is None or time is None:
            continue
        front = re.match(r"---\n(.*?)\n---", english, re.DOTALL)
        head = front.group(1) if front else ""
        rating = re.search(r"^rating: (\d+)", head, re.MULTILINE)
        difficulty = re.search(r"^difficulty: (\w+)", head, re.MULTILINE)
        rows.append({
            "frontend_id": int(path.split("/")[2].split(".")[0]),
            "difficulty": difficulty.group(1) if difficulty else "",
            "rating": int(rating.group(1)) if rating else None,
            "tags_en": re.findall(r"^    - (.+)$", head, re.MULTILINE),
            "time_complexity": time.group(1),
            "python": python.group(1),
        })  # fmt: skip
    to = out / "leetcode/doocs-leetcode-python-index.jsonl"
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return 1


SOURCES = {
    "cruxeval": Source(
        Repository(
            "https://github.com/facebookresearch/cruxeval", "190faf16d175b5847b0af05d937872b1fb395942"
        ),
        _cruxeval,
    ),
    "livecodebench-exec": Source(
        Repository("https://github.com/minimario/cruxeval-lcb", "f6a90e0aded27639688fe1500d3d44dda0aefcb1"),
        _livecodebench,
    ),
    "livecodebench-site": Source(
        Repository(
            "https://github.com/LiveCodeBench/livecodebench.github.io",
            "f186ab5041d6b768733b8ae8145151c867942134",
        ),
        _leaderboard,
    ),
    "re2-bench": Source(
        Repository(
            "https://github.com/Intelligent-CAT-Lab/RE2Bench", "d00b99c7e667ac1f8f178b42ce27f820fd7491ee"
        ),
        lambda tree, out: re2_tree.lay_out(tree, out / "re2-bench"),
    ),
    "exerscope": Source(
        Repository(
            "https://github.com/Intelligent-CAT-Lab/ExeRScope", "cb97dac92f4f59abf138e81b57199ef853bf6acd"
        ),
        _exerscope,
    ),
    "cruxeval-x": Source(
        Repository("https://github.com/CRUXEVAL-X/cruxeval-x", "5c005eb77e88b593ffe8c81b89850dcb59249da4"),
        _cruxeval_x,
    ),
    "qwen2.5-coder": Source(
        Repository("https://github.com/QwenLM/Qwen2.5-Coder", "d5ead97fea36bca3744e1a4c49e882f6fa2f406a"),
        _qwen,
    ),
    "doocs": Source(
        Repository("https://github.com/doocs/leetcode", "b6ee4f59f28bcf325b7ec535d0a0e12b409e70f4"), _doocs
    ),
}


def problems(file: str, out: Path) -> None:
    """Write LiveCodeBench's tasks ("" = the hub's), with code as `ast.unparse` prints it."""
    rows = []
    for _, _, row in rows_of(file, livecodebench_exec.HUB):
        kept = {
            name: str(row[name]) if name == "contest_date" else row[name] for name in row if name in FIELDS
        }
        rows.append({**kept, "code": ast.unparse(ast.parse(str(row["code"])))})
    to = out / "livecodebench-exec/problems.jsonl"
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


FIELDS = (
    "id", "question_id", "difficulty", "contest_date", "function_name", "code", "input", "output",
)  # fmt: skip


def main() -> None:
    """Lay out every source in the folder `--out`, and exit with a list of those that failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path, help="folder to write; without it nothing is fetched")
    parser.add_argument("--git", action="append", default=[], metavar="SOURCE=PATH_OR_URL")
    parser.add_argument("--problems", default="", help="file of LiveCodeBench's tasks; default: the hub's")
    options = parser.parse_args()
    if options.out is None:
        print("not run: this clones repositories; python measurements/lay_out.py --out DIR")
        return
    places = dict(one.partition("=")[::2] for one in options.git)
    if unknown := places.keys() - SOURCES.keys():
        sys.exit(f"no source called {', '.join(sorted(unknown))}; known: {', '.join(SOURCES)}")
    sys.exit(lay_out(options.out, places, options.problems))


def lay_out(out: Path, places: dict[str, str], problem_file: str) -> str | None:
    """Write every source that can be had; return which could not, or None."""
    failed = []
    for name, source in SOURCES.items():
        try:
            with opened(source.repository, places.get(name, "")) as tree:
                print(f"{name}: {source.write(tree, out)} files at {tree.commit[:7]}", flush=True)
        except DeskcheckError as error:
            failed.append(f"{name}: {error}")
    try:
        problems(problem_file, out)
    except DeskcheckError as error:
        failed.append(f"LiveCodeBench's tasks: {error}")
    return "\n".join(["not laid out:", *failed]) if failed else None


if __name__ == "__main__":
    main()
