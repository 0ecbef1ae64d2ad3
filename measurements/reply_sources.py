"""Lay out stored replies of real models, from public repositories at pinned commits.

    python measurements/reply_sources.py --out DIR                       clones what it needs
    python measurements/reply_sources.py --out DIR --git codesimulation=PATH ..   local git directories
    python measurements/reply_sources.py --out DIR --set sealed       only the sources of sealed.tsv

Writes DIR/replies/SOURCE/RUN.jsonl with {"id", "completion"} a line, every reply of a run in the order of its
source. The labels sources.tsv, fresh.tsv, sealed.tsv, sealed-2.tsv and sealed-3.tsv in tests/grading/labels
name these files, and `extraction.py --data DIR` reads both. Nothing of these repositories ships here.
Answers in which the source's own client failed (it stores the word None) are no replies and are left out.
"""

from __future__ import annotations

import argparse
import csv
import io
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
_GOTO = re.compile(
    r"### (\S+) @ T=0( \(fewshot\))? - \w+\n\n\*\*Prompt\*\*\n.*?\n"
    r"\*\*Response \(\w+\)\*\*\n\n```\n(.*?)\n```\n\n\*\*Expected answer\*\*",
    re.DOTALL,
)
_QA = re.compile(r"\nQ: [^\n]*\nA: (.*?)\npred_before : ", re.DOTALL)
_LOGGED = re.compile(r"<response>\n?(.*?)\n?</response>\n<ground-truth>", re.DOTALL)


class Source(Struct, frozen=True):
    """A public repository at a commit, and how its replies are read."""

    repository: str
    commit: str
    paths: str
    """Regular expression of the files that hold replies to questions about an output."""
    replies: Callable[[str, bytes], Replies]
    one_per_file: bool = False
    """Each file holds one reply, so a run is many files."""


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


def _zero_eval(path: str, content: bytes) -> Replies:
    """Read the answers of one model to CRUXEval in ZeroEval, which asks for an object of JSON."""
    for row in json.loads(content):
        for number, reply in enumerate(row["output"]):
            yield _name(Path(path).stem), f"{row['id'].rpartition('#')[2]}.{number}", reply


def _code_mind(path: str, content: bytes) -> Replies:
    """Read one answer of CodeMind: dataset, model and task are folders."""
    *_, dataset, model, task, _ = path.split("/")
    yield _name(f"{dataset}-{model}"), task, content.decode("utf-8", "replace")


def _console(path: str, content: bytes) -> Replies:
    """Read one answer of a model that was told to act as the command line."""
    row = json.loads(content)
    yield "gpt-4", row["id"], row["output"]


def _expressions_ru(path: str, content: bytes) -> Replies:
    """Read the answers of one model to the two tasks of BIG-Bench Hard that evaluate an expression."""
    for number, line in enumerate(content.decode().splitlines()):
        row = json.loads(line)
        task, _, place = row["id"].partition("/")
        if task in ("boolean_expressions", "multistep_arithmetic_two") and isinstance(row["answer"], str):
            yield _name(Path(path).stem), f"{task}.{place}.{number}", row["answer"]


def _expressions_codex(path: str, content: bytes) -> Replies:
    """Read the answers of code-davinci-002 to a task of BIG-Bench Hard."""
    run = _name(
        path.split("/")[1].removeprefix("code-davinci-002-") + "-" + Path(path).stem.partition("_few")[0]
    )
    for number, row in enumerate(json.loads(content)["outputs"]):
        yield run, str(number), row["prediction"]


def _meta_prompting(path: str, content: bytes) -> Replies:
    """Read the last message of GPT-4 in one way of prompting."""
    for number, line in enumerate(content.decode().splitlines()):
        yield path.split("/")[1], str(number), json.loads(line)["output"]


def _counterfactual(path: str, content: bytes) -> Replies:
    """Read replies of counterfactual-evaluation: prompt, a tab, reply, in Python's escapes."""
    parts = path.split("/")
    area = parts[1] if parts[0] == "programming" else parts[0]
    run = _name(f"{area}-{parts[-2]}-{Path(path).stem}")
    for number, line in enumerate(content.decode().splitlines()):
        fields = line.split("\t")
        if len(fields) > 1:
            yield run, str(number), fields[1].encode("latin-1", "backslashreplace").decode("unicode-escape")


def _infinite_bench(path: str, content: bytes) -> Replies:
    """Read the answers of one model to a task of InfiniteBench."""
    run = _name(f"{path.split('/')[1]}-{Path(path).stem.removeprefix('preds_')}")
    for number, line in enumerate(content.decode().splitlines()):
        row = json.loads(line)
        if isinstance(row["prediction"], str):
            yield run, str(number), row["prediction"]


def _goto(path: str, content: bytes) -> Replies:
    """Read a page of goto-eval, which has the wrong and invalid replies of several models."""
    kind = Path(path).stem.removeprefix("goto-random-order-")
    for number, (model, shots, reply) in enumerate(_GOTO.findall(content.decode())):
        yield _name(f"{kind}{'-fewshot' if shots else ''}-{model}"), str(number), reply


def _embers(path: str, content: bytes) -> Replies:
    """Read the replies of one model to one task of embers-of-autoregression."""
    for number, reply in enumerate(json.loads(content)["res"]):
        yield _name(Path(path).stem.removesuffix("_temp=0.0_n=1")), str(number), reply


def _drift(path: str, content: bytes) -> Replies:
    """Read the rows of LLMDrift about happy numbers."""
    for number, row in enumerate(csv.DictReader(io.StringIO(content.decode(), newline=""))):
        yield _name(row["model"].rpartition("/")[2]), str(number), row["answer"]


def _zero_shot(path: str, content: bytes) -> Replies:
    """Read a log of zero_shot_cot: the answer to each question, with the words that ask for a number."""
    for number, reply in enumerate(_QA.findall(content.decode())):
        yield _name(Path(path).stem), str(number), reply


def _tora(path: str, content: bytes) -> Replies:
    """Read outputs of ToRA: reasoning, program, its output and the box."""
    for number, line in enumerate(content.decode().splitlines()):
        for sample, reply in enumerate(json.loads(line)["code"]):
            yield path.split("/")[3], f"{number}.{sample}", reply


def _ces(path: str, content: bytes) -> Replies:
    """Read one answer of CES: model and program are folders; open models repeat the prompt."""
    *_, model, _, task, _ = path.split("/")
    yield _name(model), task, content.decode("utf-8", "replace")


def _generations(path: str, content: bytes) -> Replies:
    """Read what a model was found to answer to CRUXEval, in CRUXEval's own layout."""
    for task, replies in json.loads(content).items():
        for number, reply in enumerate(replies):
            yield _name(path.split("/")[1]), f"{task}.{number}", reply


def _completions(path: str, content: bytes) -> Replies:
    """Read the completions of one model and one way of prompting in Faithful-COT."""
    for number, line in enumerate(content.decode().splitlines()):
        yield _name("-".join(path.split("/")[1:4:2])), str(number), json.loads(line)["completion"]


def _generator(path: str, content: bytes) -> Replies:
    """Read the last text that the generator of dynamic-cheatsheet wrote for each question."""
    for number, line in enumerate(content.decode().splitlines()):
        yield _name(f"{path.split('/')[1]}-{Path(path).stem}"), str(number), json.loads(line)["final_output"]


def _chains(path: str, content: bytes) -> Replies:
    """Read the reasoning of text-davinci-003 in Plan-and-Solve-Prompting."""
    for number, row in enumerate(json.loads(content)):
        yield _name(Path(path).stem), str(number), row["chain-of-thought"]


def _auto_race(path: str, content: bytes) -> Replies:
    """Read reasoning about sums that people have labeled for AutoRace."""
    for number, line in enumerate(content.decode().splitlines()):
        yield _name(Path(path).stem), str(number), json.loads(line)["reasoning_chain"]


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
    "zeroeval": Source(
        "https://github.com/WildEval/ZeroEval",
        "8c1485edf12c6efb5f69135a562927c5ad484059",
        r"result_dirs/crux/[^/]+\.json",
        _zero_eval,
    ),
    "codemind": Source(
        "https://github.com/Intelligent-CAT-Lab/CodeMind",
        "f73f7a4e0c3f12b54527e39a11e110a7b06eedda",
        r"Results/IER/(?:MBPP|HumanEval|Avatar/Avatar-Java|Avatar/Avatar-Python)/[^/]+/[^/]+/[^/]+_cot\.txt",
        _code_mind,
        one_per_file=True,
    ),
    "console": Source(
        "https://github.com/RajayPreddie/cs8395-chatgpt-python-code-execution-comparison",
        "42833e57a52b594740f0a9875639c7ed9c2106a3",
        r"gpt_responses/[^/]+\.json",
        _console,
        one_per_file=True,
    ),
    "simple-evals-ru": Source(
        "https://github.com/kuk/simple-evals-ru",
        "5fb1507eafd70be92ff3379440c13ee5272963ce",
        r"data/results/bbh/[^/]+\.jsonl",
        _expressions_ru,
    ),
    "big-bench-hard": Source(
        "https://github.com/suzgunmirac/BIG-Bench-Hard",
        "9ee07bd481feebf959a6b59d61ea57bdcf30964d",
        r"code-davinci-002-outputs/[^/]+/(?:boolean_expressions|multistep_arithmetic_two)_[^/]+\.json",
        _expressions_codex,
    ),
    "meta-prompting": Source(
        "https://github.com/suzgunmirac/meta-prompting",
        "40422564938d772c3e3e6b9614b1df48b8dd6a08",
        r"outputs/[^/]+/multistep_arithmetic_two[^/]*\.jsonl",
        _meta_prompting,
    ),
    "ces": Source(
        "https://github.com/CESCodeReasoning/CES",
        "f5e06799f6a86f1cddbd0fadcb91996fd71c5798",
        r"experimental_results/adaptive_loop_condition_branch/(?![^/]*-old/)[^/]+/humaneval/[^/]+/response\.txt",
        _ces,
        one_per_file=True,
    ),
    "counterfactual": Source(
        "https://github.com/ZhaofengWu/counterfactual-evaluation",
        "cc0122ad6a65ea80e2f0f223e79858406a0df326",
        r"(?:programming/execution/model_interactions/with(?:out)?_0cot|"
        r"arithmetic/model_interactions/0shot/with_0cot)/[^/]+\.tsv",
        _counterfactual,
    ),
    "infinitebench": Source(
        "https://github.com/OpenBMB/InfiniteBench",
        "88b3daa6989da2fbe0077170d7a3c84c25d5ae58",
        r"results/[^/]+/preds_(?:code_run|math_find)\.jsonl",
        _infinite_bench,
    ),
    "goto-eval": Source(
        "https://github.com/nielsrolf/goto-eval",
        "383ab835573b858fc670b6f1cfeb41dd9b23be78",
        r"goto-random-order-[^/]+\.md",
        _goto,
        one_per_file=True,
    ),
    "embers": Source(
        "https://github.com/tommccoy1/embers-of-autoregression",
        "5dd6c91ad57cd2d913402b98e4253fda806fbe93",
        r"logs/(?!counting_words_common_(?:5|10)shot)(?:multiplication|conversion|counting|sorting)_[^/]+"
        r"_temp=0\.0_n=1\.json",
        _embers,
    ),
    "llm-drift": Source(
        "https://github.com/lchen001/LLMDrift",
        "4938eb720aed5210dd2153644fa35cf38b9c6d26",
        r"generation/COUNTAHAPPYNUMBER_EVAL\.csv",
        _drift,
    ),
    "tora": Source(
        "https://github.com/microsoft/ToRA",
        "213c1c995038c73fab10343814df7a42f990f026",
        r"src/outputs/llm-agents/[^/]+/gsm8k/[^/]+\.jsonl",
        _tora,
        one_per_file=True,
    ),
    "zero-shot-cot": Source(
        "https://github.com/kojima-takeshi188/zero_shot_cot",
        "5ef330fcdeec0cd26aee27943504f91f8ec1c33c",
        r"log/(?:last_letters|multiarith|addsub|singleeq|svamp|gsm8k)_zero_shot(?:_cot)?\.log",
        _zero_shot,
    ),
    "cruxeval-gpt": Source(
        "https://github.com/XiangJinyu/cruxeval",
        "eab3380d7c2e377c1c49a8e14e37bad12e479d14",
        r"model_generations/[^/]+_output/generations\.json",
        _generations,
    ),
    "faithful-cot": Source(
        "https://github.com/veronica320/Faithful-COT",
        "301784317c99cf348cfad92a1b3e8810900e095b",
        r"output_dir/(?:GSM8K|MultiArith|ASDiv|SVAMP|date)/test/[^/]+_(?:COT|LtM|standard)/predictions\.jsonl",
        _completions,
    ),
    "dynamic-cheatsheet": Source(
        "https://github.com/suzgunmirac/dynamic-cheatsheet",
        "1cf258c936edc28ef045202621bf9463f70a1988",
        r"results/(?:AIME_\w+|MathEquationBalancer)/[^/]+\.jsonl",
        _generator,
    ),
    "plan-and-solve": Source(
        "https://github.com/AGI-Edgerunners/Plan-and-Solve-Prompting",
        "9d5a176f5b4de1011d426009ab6398dc76046e88",
        r"generated_result/(?:last_letters|gsm8k|SingleEq|SVAMP|MultiArith|AddSub)-[^/]+\.json",
        _chains,
    ),
    "auto-race": Source(
        "https://github.com/maitrix-org/llm-reasoners",
        "f94e5ac2cb9788c3d7d7dbf2173884ed4088e4b2",
        r"autorace/data/eval_model/multistep_arithmetic\.jsonl",
        _auto_race,
    ),
}
SEALED_2 = (
    "ces", "counterfactual", "infinitebench", "goto-eval", "embers", "llm-drift", "tora", "zero-shot-cot",
)  # fmt: skip
SEALED = ("zeroeval", "codemind", "console", "simple-evals-ru", "big-bench-hard", "meta-prompting")


SEALED_3 = ("cruxeval-gpt", "faithful-cot", "dynamic-cheatsheet", "plan-and-solve", "auto-race")
SETS = {"all": tuple(SOURCES), "sealed": SEALED, "sealed-2": SEALED_2, "sealed-3": SEALED_3}


def git(directory: Path, *arguments: str, wanted: bytes = b"") -> bytes:
    command = ["git", "-C", str(directory), *arguments]
    return subprocess.run(command, check=True, capture_output=True, input=wanted).stdout


def contents(directory: Path, commit: str, paths: list[str]) -> Iterator[tuple[str, bytes | None]]:
    """Read files of a commit with one process; None for a file that this copy lacks."""
    asked = "".join(f"{commit}:{path}\n" for path in paths)
    answered = git(directory, "cat-file", "--batch", wanted=asked.encode())
    start = 0
    for path in paths:
        head, start = answered[start : answered.index(b"\n", start)], answered.index(b"\n", start) + 1
        if head.endswith(b" missing"):
            yield path, None
            continue
        size = int(head.rpartition(b" ")[2])
        yield path, answered[start : start + size]
        start += size + 1


def lay_out(name: str, directory: Path, out: Path) -> int:
    """Write every run of a source and return the number of replies."""
    source = SOURCES[name]
    listed = git(directory, "ls-tree", "-r", "-z", "--name-only", source.commit).decode().split("\0")
    paths = sorted(one for one in listed if re.fullmatch(source.paths, one))
    runs: dict[str, list[str]] = {}
    n_replies = 0
    for path, content in contents(directory, source.commit, paths):
        if content is None:
            print(f"{name}: {path} is not in this copy, left out", file=sys.stderr)
            continue
        for run, place, text in source.replies(path, content):
            if text.strip() not in ("", "None"):
                runs.setdefault(run, []).append(json.dumps({"id": place, "completion": text}))
        if not source.one_per_file:
            n_replies += write(runs, out / "replies" / name)
            runs.clear()
    return n_replies + write(runs, out / "replies" / name)


def write(runs: dict[str, list[str]], folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    for run, lines in runs.items():
        (folder / f"{run}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return sum(map(len, runs.values()))


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--out", default="", help="folder to write; without it nothing is fetched")
    options.add_argument("--git", action="append", default=[], metavar="SOURCE=PATH")
    options.add_argument(
        "--set", choices=list(SETS), default="all", help="sealed-2: those of sealed-2.tsv, and so on"
    )
    chosen = options.parse_args()
    if not chosen.out:
        print("not run: this clones repositories; python measurements/reply_sources.py --out DIR")
        return
    local = dict(one.partition("=")[::2] for one in chosen.git)
    if unknown := local.keys() - SOURCES.keys():
        sys.exit(f"no source called {', '.join(sorted(unknown))}; known: {', '.join(SOURCES)}")
    for name, source in SOURCES.items():
        if name not in SETS[chosen.set]:
            continue
        with tempfile.TemporaryDirectory() as place:
            directory = Path(local.get(name, place))
            if name not in local:
                sparse = [] if source.one_per_file else ["--filter=blob:none"]
                git(directory, "clone", "--bare", *sparse, source.repository, ".")
            print(f"{name}: {lay_out(name, directory, Path(chosen.out))} replies")


if __name__ == "__main__":
    main()
