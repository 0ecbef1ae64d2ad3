"""Lay out RE2-Bench's repository for `stored_answers/`: problems, loops, branches, answers and figures.

    lay_out(tree, folder) -> files written

A problem's program, input and name are those of its prompt; its truth is the row of the data set that
`sampled_problems.json` names. Verdicts on outputs and inputs are the stored ones. For loops and branches the
repository stores none, so its own functions are taken out of `scripts/validators` by name, word for word, and
run on the stored replies.
"""

from __future__ import annotations

import ast
import builtins
import csv
import gzip
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from repositories import Tree

LEVELS = {"easy": "LC", "difficult": "HC"}
SOURCES = {
    "Swebench": "swe-bench", "Real": "real", "cruxeval": "cruxeval", "Classeval": "classeval",
    "HumanEval": "humaneval", "Avatar": "avatar",
}  # fmt: skip


def lay_out(tree: Tree, folder: Path) -> int:
    """Write every file that `stored_answers/re2.py` and the audit read."""
    sampled = json.loads(_needed(tree, "dataset/re2-bench/sampled_problems.json"))
    problems = [
        _problem(tree, identity, level, where["benchmark"], where["input-output"])
        for level in LEVELS
        for identity, where in sampled[level].items()
    ]
    write_rows(folder / "problems.jsonl.gz", problems)
    known = {row["id"]: row for row in problems}
    n_files = 1
    for kind in ("loop", "branch"):
        rows = [_annotated(tree, kind, *place, known) for place in _asked(tree, kind)]
        write_rows(folder / f"{kind}.jsonl.gz", rows)
        n_files += 1
    goldens = {}
    settings = sorted({path.split("/")[2] for path in tree.paths(r"results/loop_prediction/[^/]+/.*\.txt")})
    for setting in settings:
        for kind in ("output", "input"):
            rows = list(_answers(tree, setting, kind, problems))
            write_rows(folder / "answers" / f"{setting}.{kind}.jsonl.gz", rows)
            goldens[f"{setting}.{kind}"] = json.loads(
                _needed(tree, f"results/validations/{setting}_{kind}_metadata.json")
            )
        for kind in ("loop", "branch"):
            rows = list(_marked_answers(tree, setting, kind))
            write_rows(folder / "answers" / f"{setting}.{kind}.jsonl.gz", rows)
            graded = [row["right"] for row in rows if row["right"] is not None]
            goldens[f"{setting}.{kind}"] = {
                "total_rs": sum(graded) / max(1, len(graded)),
                "graded": len(graded),
            }
        n_files += 4
    (folder / "goldens.json").write_text(json.dumps(goldens, indent=1, sort_keys=True), encoding="utf-8")
    return n_files + 1


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write packed JSON lines, the same bytes each time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))


def _needed(tree: Tree, path: str) -> str:
    text = tree.text(path)
    if text is None:
        raise SystemExit(f"{path} is not in this copy of the repository; take one that is whole")
    return text


# ------------------------------------------------------------------ problems


def _problem(tree: Tree, identity: str, level: str, benchmark: str, index: int) -> dict[str, Any]:
    prompt = _needed(tree, f"prompts/output_prediction/{level}/{identity}.txt")
    prompt = prompt[prompt.rindex("[/OUTPUT]") :]  # behind the examples
    case = _case(identity, benchmark)
    rows = tree.text(f"dataset/re2-bench/input-output/{benchmark}/{case}.jsonl")
    shown = _between(prompt, "[INPUT]\n```\n", "\n```\n[/INPUT]")
    function = re.search(r"What will be the output of `([^`]+)`,? given", prompt)
    if rows is None:  # the snapshot lacks the data of two problems; their prompts show both values
        given, returned = json.loads(shown), _shown_output(tree, level, identity)
    elif benchmark == "Avatar":
        values = json.loads(rows.splitlines()[index])["values"]
        given, returned = values["input"], values["output"]
    else:
        values = json.loads(rows.splitlines()[index])["values"]
        given, returned = values["inputs"], values["return"]
    return {
        "id": identity, "difficulty": level, "source": SOURCES[benchmark], "case": case, "case_index": index,
        "code": _between(prompt, "[PYTHON]\n", "\n[/PYTHON]"), "shown_input": shown,
        "function": function.group(1) if function else None, "input": given, "output": returned,
    }  # fmt: skip


def _between(text: str, before: str, after: str) -> str:
    return text.partition(before)[2].partition(after)[0]


def _shown_output(tree: Tree, level: str, identity: str) -> Any:
    prompt = _needed(tree, f"prompts/input_prediction/{level}/{identity}.txt")
    value = json.loads(prompt.rpartition("[OUTPUT]\n```\n")[2].partition("\n```\n[/OUTPUT]")[0])
    return value["output"] if list(value) == ["output"] else value


def _case(identity: str, benchmark: str) -> str:
    """Return the name under which the data set has a problem."""
    if benchmark == "Swebench":
        project, file, function = identity.split("@@")
        return f"{project}@@{file.rstrip('.py')}.{function}"
    if benchmark == "cruxeval":
        return identity.replace("sample", "cruxeval")
    if benchmark == "Classeval":
        return identity.split("@")[-1].replace(".", "@")
    return identity


# ------------------------------------------------------------------ loops and branches


def _asked(tree: Tree, kind: str) -> Iterator[tuple[str, str]]:
    """Yield (level, id) of the questions of a kind."""
    for level in LEVELS:
        for path in tree.paths(rf"prompts/{kind}_prediction/{level}/.*\.txt"):
            yield level, Path(path).name.removesuffix(".txt")


def _annotated(
    tree: Tree, kind: str, level: str, identity: str, known: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    prompt = _needed(tree, f"prompts/{kind}_prediction/{level}/{identity}.txt")
    question = prompt[prompt.rindex("[/EXAMPLE]") + len("[/EXAMPLE]") :].lstrip("\n")
    code = question.partition("\n\nThe input")[0]
    truth = _own(tree, kind, "read_ground_truth")
    path = f"dataset/re2-bench/{kind}/{level}/{identity}.json"
    return {
        "id": identity, "difficulty": level, "source": _source_of(identity, known), "code": code,
        "in_problems": identity in known,
        "truth": None if tree.read(path) is None else truth(identity, level),
    }  # fmt: skip


def _source_of(identity: str, known: dict[str, dict[str, Any]]) -> str:
    if identity in known:
        return str(known[identity]["source"])
    return "cruxeval" if identity.startswith("sample_") else "other"


_CACHE: dict[tuple[int, str], dict[str, Any]] = {}


def _own(tree: Tree, kind: str, name: str) -> Callable[..., Any]:
    """Return a function of the source's validator; the files that it opens are those of the tree."""
    key = (id(tree), kind)
    if key not in _CACHE:

        def from_tree(path: str, mode: str = "r", *rest: Any, **options: Any) -> io.StringIO:
            level = path.split("/")[-2]
            in_tree = path.removeprefix("../")
            if in_tree.startswith("results/"):
                in_tree = in_tree.replace(f"/{level}/", f"/{LEVELS[level]}/")
            text = tree.text(in_tree)
            if text is None:
                raise FileNotFoundError(path)
            return io.StringIO(text, newline=None)

        source = _needed(tree, f"scripts/validators/validate_{kind}.py")
        kept = [
            node
            for node in ast.parse(source).body
            if isinstance(node, ast.FunctionDef | ast.Import | ast.ImportFrom)
        ]
        space: dict[str, Any] = {"__builtins__": {**vars(builtins), "open": from_tree}}
        exec(compile(ast.Module(kept, []), f"validate_{kind}.py", "exec"), space)  # (the source's script)
        _CACHE[key] = space
    found: Callable[..., Any] = _CACHE[key][name]
    return found


# ------------------------------------------------------------------ answers


def _answers(tree: Tree, setting: str, kind: str, problems: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield replies to questions about outputs or inputs, with what the source took and its verdict."""
    stored = {
        row["case_name"].removesuffix(".jsonl"): row
        for row in csv.DictReader(io.StringIO(_needed(tree, f"results/validations/{setting}_{kind}.csv")))
    }
    taken = _taken(tree, setting, kind)
    for problem in problems:
        identity = problem["id"]
        path = f"results/{kind}_prediction/{setting}/{LEVELS[problem['difficulty']]}/{identity}.txt"
        verdict = stored[problem["case"]]
        yield {
            "id": identity,
            "response": _needed(tree, path),
            "prediction": taken[identity],
            "right": int(verdict["rs"] in ("1", "1.0")),
            "partial": float(verdict["partial_rs"]),
        }


def _taken(tree: Tree, setting: str, kind: str) -> dict[str, Any]:
    """Map ids to the JSON that the source's parser took."""
    taken = {}
    for line in _needed(tree, f"results/summary/{setting}_{kind}_prediction.jsonl").splitlines():
        row = json.loads(line)
        taken[row["problem_id"]] = row["prediction"]
    return taken


def _marked_answers(tree: Tree, setting: str, kind: str) -> Iterator[dict[str, Any]]:
    """Yield replies to questions about loops or branches, with the verdict of the source's script."""
    validate = _own(tree, kind, f"validate_{kind}")
    for level, identity in _asked(tree, kind):
        reply = tree.text(f"results/{kind}_prediction/{setting}/{LEVELS[level]}/{identity}.txt")
        if reply is None:
            continue
        try:
            right, partial = validate(identity, level, setting)
        except FileNotFoundError:  # no truth in this snapshot
            right = partial = None
        yield {"id": identity, "response": reply, "right": right, "partial": partial}
