"""Lay out stored replies of real models, from public repositories at pinned commits.

    python measurements/reply_sources.py --out DIR                       clones what it needs
    python measurements/reply_sources.py --out DIR --git codesimulation=PATH ..   local git directories

Writes DIR/replies/SOURCE/RUN.jsonl with {"id", "completion"} a line, every reply of a run in the order of its
source. The labels of tests/grading/labels/sources.tsv name these files, and `extraction.py --data DIR` reads
both. Nothing of these repositories ships with this project. Answers in which the source's own client failed
(it stores the word None) are no replies and are left out.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

Replies = Iterator[tuple[str, str, str]]
"""(run, id, text)"""
_LOGGED = re.compile(r"<response>\n?(.*?)\n?</response>\n<ground-truth>", re.DOTALL)


class Source(Struct, frozen=True):
    """A public repository at a commit, and how its replies are read."""

    repository: str
    commit: str
    paths: str
    """Regular expression of the files that hold replies to questions about an output."""
    replies: Callable[[str, bytes], Replies]


def _name(path: str) -> str:
    return re.sub(r"[^A-Za-z0-9.+_-]+", "-", path)


def _log(path: str, content: bytes) -> Replies:
    """Read a log of CodeSimulation: prompt, response and truth between their tags."""
    for number, reply in enumerate(_LOGGED.findall(content.decode("utf-8", "replace"))):
        yield _name(path.removeprefix("logs/").removesuffix(".txt")), str(number), reply


def _jsonl(path: str, content: bytes) -> Replies:
    """Read results of StateLens: a row for each task, with its responses."""
    run = _name(Path(path).stem.removesuffix("_results"))
    for line in content.decode().splitlines():
        row = json.loads(line)
        for number, reply in enumerate(row["responses"]):
            yield run, f"{row['task_id']}.{number}", reply


def _by_id(path: str, content: bytes) -> Replies:
    """Read the raw completions of Qwen2.5-Coder: id -> replies."""
    run = _name(path.split("/")[4] + "-output")
    for task, replies in json.loads(content).items():
        for number, reply in enumerate(replies):
            yield run, f"{task}.{number}", reply


def _predictions(path: str, content: bytes) -> Replies:
    """Read results of code-reasoning-repro: predictions of original and mutated programs."""
    document: dict[str, Any] = json.loads(content)
    run = _name(Path(path).stem)
    for row in document.get("prediction", document).get("results", []):
        for part in ("original_predictions", "mutated_predictions"):
            for number, one in enumerate(row.get(part) or []):
                cases = one.get("testcases") or [one]
                for case, answer in enumerate(cases):
                    if isinstance(answer.get("response"), str):
                        place = f"{row['problem_index']}.{row.get('case_index', row.get('case_idx', 0))}"
                        yield run, f"{place}.{part[0]}.{number}.{case}", answer["response"]


def _gym(path: str, content: bytes) -> Replies:
    """Read evaluations of reasoning-gym; of `codeio` only the questions about an output."""
    parts = path.split("/")
    run = _name(f"{parts[-4]}-{re.sub(r'_20[0-9_]+$', '', parts[-3])}-{Path(path).stem}")
    for number, row in enumerate(json.loads(content)["results"]):
        if run.endswith("codeio") and "predict the output" not in row["question"]:
            continue
        for sample, one in enumerate(row["completions"]):
            if isinstance(one.get("full_model_response"), str):
                yield run, f"{number}.{sample}", one["full_model_response"]


SOURCES = {
    "codesimulation": Source(
        "https://github.com/EmanueleLM/CodeSimulation",
        "ec6407a122607743b35082aa7d1c14c490cce0e8",
        r"logs/[^/]+/[^/]+\.txt",
        _log,
    ),
    "statelens": Source(
        "https://github.com/DonaldLamNL/StateLens",
        "44102b4f298ee3d01664df4b3e2a28daf859f63c",
        r"results/[^/]+/livecodebench_(?:all|gbc|mcc|mhc|mps|ren|rtf|van)_\w+_results\.jsonl",
        _jsonl,
    ),
    "qwen2.5-coder": Source(
        "https://github.com/QwenLM/Qwen2.5-Coder",
        "d5ead97fea36bca3744e1a4c49e882f6fa2f406a",
        r"qwencoder-eval/base/outptus/.*/cruxeval/output-cot/completion_raw\.json",
        _by_id,
    ),
    "code-reasoning-repro": Source(
        "https://github.com/akshsgaur/code-reasoning-repro",
        "6c43fa8a53ffbaee177093d75b0d1b4ccd2577ce",
        r"experiments/results/(?!.*choice).*\.json",
        _predictions,
    ),
    "reasoning-gym-other": Source(
        "https://github.com/open-thought/reasoning-gym-eval",
        "5f09fecc342a25d693895b7304a9dec43b47f436",
        r"reasoninggym-paper-experiments/zero-shot/.*/(?:list_functions|spiral_matrix|rotate_matrix|pool_matrix"
        r"|binary_matrix|count_bits|number_sorting|prime_factorization|palindrome_partitioning|group_anagrams"
        r"|base_conversion|complex_arithmetic|decimal_chain_sum|number_filtering)\.json",
        _gym,
    ),
    "reasoning-gym-eval": Source(
        "https://github.com/open-thought/reasoning-gym-eval",
        "5f09fecc342a25d693895b7304a9dec43b47f436",
        r"reasoninggym-paper-experiments/zero-shot/.*/(?:code/codeio|code/bf|arithmetic/bitwise_arithmetic)\.json",
        _gym,
    ),
}


def git(directory: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(directory), *arguments], check=True, capture_output=True).stdout


def lay_out(name: str, directory: Path, out: Path) -> int:
    """Write every run of a source and return the number of replies."""
    source = SOURCES[name]
    listed = git(directory, "ls-tree", "-r", "-z", "--name-only", source.commit).decode().split("\0")
    n_replies = 0
    for path in sorted(one for one in listed if re.fullmatch(source.paths, one)):
        try:
            content = git(directory, "show", f"{source.commit}:{path}")
        except subprocess.CalledProcessError:
            print(f"{name}: {path} is not in this copy, left out", file=sys.stderr)
            continue
        runs: dict[str, list[str]] = {}
        for run, place, text in source.replies(path, content):
            if text.strip() not in ("", "None"):
                runs.setdefault(run, []).append(json.dumps({"id": place, "completion": text}))
        for run, lines in runs.items():
            file = out / "replies" / name / f"{run}.jsonl"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
            n_replies += len(lines)
    return n_replies


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--out", default="", help="folder to write; without it nothing is fetched")
    options.add_argument("--git", action="append", default=[], metavar="SOURCE=PATH")
    chosen = options.parse_args()
    if not chosen.out:
        print("not run: this clones repositories; python measurements/reply_sources.py --out DIR")
        return
    local = dict(one.partition("=")[::2] for one in chosen.git)
    if unknown := local.keys() - SOURCES.keys():
        sys.exit(f"no source called {', '.join(sorted(unknown))}; known: {', '.join(SOURCES)}")
    for name, source in SOURCES.items():
        with tempfile.TemporaryDirectory() as place:
            directory = Path(local.get(name, place))
            if name not in local:
                git(directory, "clone", "--bare", "--filter=blob:none", source.repository, ".")
            print(f"{name}: {lay_out(name, directory, Path(chosen.out))} replies")


if __name__ == "__main__":
    main()
