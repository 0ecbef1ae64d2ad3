"""What other harnesses read out of the same replies, beside ours: docs/audit.md, "Audit of the harnesses".

    pip download --no-deps -d H lm_eval==0.4.13 evalplus==0.3.1 reasoning-gym==0.1.25 opencompass==0.5.4
    unpack each into H/NAME;  git clone https://github.com/LiveCodeBench/LiveCodeBench H/LiveCodeBench
    python measurements/harnesses.py --harnesses H                   the smallest reproductions
    python measurements/harnesses.py --harnesses H --data DIR        also stored replies

A harness's function is taken out of its file by name, word for word, and called; its package is not imported,
so nothing else need be installed. What a harness would execute (`assert f(x) == TEXT`) is compared here as
values under `published`, the rule of an assertion; expressions are run by `eval` only in the reproductions,
which are ours. DIR holds cruxeval/, qwen2.5-coder/ and livecodebench-exec/.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import importlib.util
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from deskcheck.api.grading import grade
from deskcheck.data_files import read_rows

FILES = {
    "lm-eval 0.4.13": ("lm_eval/tasks/cruxeval/utils.py", "extract_code_output"),
    "OpenCompass 0.5.4": ("opencompass/datasets/livecodebench/extract_utils.py", "extract_code_execution"),
    "LiveCodeBench": ("lcb_runner/utils/extraction_utils.py", "extract_execution_code"),
    "reasoning-gym 0.1.25": ("reasoning_gym/utils.py", "extract_answer"),
}
"""Harness -> the file that holds its reader, and the reader's name."""
Read = Callable[[str], str]


def function_of(folder: Path, path: str, name: str) -> Callable[..., Any]:
    """One top-level function of a file under `folder`, compiled by itself."""
    found = sorted(folder.glob(f"**/{path}"))
    if not found:
        raise SystemExit(f"{folder} holds no {path}; unpack the harness there (see the head of this file)")
    tree = ast.parse(found[0].read_text(encoding="utf-8"))
    body = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    module = ast.Module([ast.parse("from __future__ import annotations").body[0], *body], [])
    space: dict[str, Any] = {"re": re, "json": json}
    exec(compile(ast.fix_missing_locations(module), str(found[0]), "exec"), space)  # (the harness)
    made: Callable[..., Any] = space[name]
    return made


def readers(folder: Path) -> dict[str, Read]:
    """Harness -> text that it takes for the value in a reply with a chain of thought."""
    read = {name: function_of(folder, *place) for name, place in FILES.items()}

    def lm_eval(reply: str) -> str:
        doc = {"code": "def f(): pass", "input": ""}
        program: str = read["lm-eval 0.4.13"](doc, reply, True)
        return program.partition("\nassert f()==")[2]

    return {
        "lm-eval 0.4.13": lm_eval,
        "OpenCompass 0.5.4": lambda reply: str(read["OpenCompass 0.5.4"](reply, cot=True)),
        "LiveCodeBench": lambda reply: str(read["LiveCodeBench"](reply, None, cot=True)),
        "reasoning-gym 0.1.25": lambda reply: read["reasoning-gym 0.1.25"](reply) or "",
    }


REPRODUCTIONS = (
    ("a string", "[ANSWER]'b'[/ANSWER]", "'b'", "right"),
    ("a string, as the harness asks", "[ANSWER]assert f('a') == 'b'[/ANSWER]", "'b'", "right"),
    ("`==` inside the value", "[ANSWER]'x == y'[/ANSWER]", "'x == y'", "right"),
    ("`#` inside the value", "[ANSWER]['#', 1][/ANSWER]", "['#', 1]", "right"),
    ("a retraction", "[ANSWER]1[/ANSWER] No, wrong: [ANSWER]2[/ANSWER]", "2", "right"),
    ("tags named before", "I will write it in [ANSWER] and [/ANSWER].\n[ANSWER]7[/ANSWER]", "7", "right"),
    ("an expression that is always true", "[ANSWER]0 or True[/ANSWER]", "[3]", "not right"),
    ("a message of assert", "[ANSWER]1, 2[/ANSWER]", "1", "not right"),
)
"""Name, reply, truth, and the verdict that a reader of values has to give."""


def asserted(text: str, truth: str) -> bool:
    """Whether `assert TRUTH == TEXT` passes, for the reproductions above."""
    try:
        exec(f"assert {truth} == {text}", {})  # (only texts of this file)
    except Exception:  # whatever the text raises is no pass
        return False
    return True


def reproduced(read: dict[str, Read]) -> Iterator[list[str]]:
    """Yield rows: name, wanted verdict, then each harness and ours."""
    for name, reply, truth, wanted in REPRODUCTIONS:
        cells = []
        for harness, reader in read.items():
            text = reply
            if harness.startswith("reasoning-gym"):
                text = reply.replace("[ANSWER]", "<answer>").replace("[/ANSWER]", "</answer>")
                asked = "right" if reader(text).strip() == truth else "not right"
                cells.append("not its form" if "assert f" in reply else asked)
                continue
            cells.append("right" if asserted(reader(text), truth) else "not right")
        ours = "right" if grade(reply, expected=truth).verdict == "right" else "not right"
        yield [f"{name}: `{reply}`".replace("\n", " "), truth, wanted, *cells, ours]


def evalplus_sticky(folder: Path) -> list[str]:
    """The tolerance that EvalPlus's loop carries from a float to every later test, as its source has it."""
    path = next(iter(sorted(folder.glob("**/evalplus/eval/__init__.py"))), None)
    if path is None:
        raise SystemExit(f"{folder} holds no evalplus/eval/__init__.py; unpack evalplus there")
    source = path.read_text(encoding="utf-8")
    set_inside = re.search(r"for i, inp in enumerate.*?atol = 1e-6", source, re.DOTALL) is not None
    import numpy as np

    close = bool(np.allclose(100_000_005, 100_000_000, rtol=1e-07, atol=1e-6))
    return [
        f"EvalPlus 0.3.1 sets its tolerance inside the loop over tests: {set_inside}",
        f"after a test with a float, 100000005 passes for 100000000: {close}",
    ]


WRONG = (
    ('{"n": 101}', '{"n": 100}'),
    ('{"items": [1, 2, 4]}', '{"items": [1, 2, 3]}'),
    ('{"ok": 1}', '{"ok": true}'),
    ("{}", '{"n": 100}'),
)
"""Wrong answers as JSON, and the truths."""


def rewards_of_wrong_answers(folder: Path) -> Iterator[list[str]]:
    """Yield wrong answer, truth and the reward of reasoning-gym's CodeIO; needs zss, by which it compares."""
    path = next(iter(sorted(folder.glob("**/reasoning_gym/code/codeio.py"))), None)
    if path is None:
        raise SystemExit(f"{folder} holds no reasoning_gym/code/codeio.py; unpack reasoning-gym there")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    (kind,) = (n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "CodeIODataset")
    kind.bases = []
    kind.body = [n for n in kind.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("__")]
    space: dict[str, Any] = {"json": json, "zss": importlib.import_module("zss"), "Any": Any}
    module = ast.Module([ast.parse("from __future__ import annotations").body[0], kind], [])
    exec(compile(ast.fix_missing_locations(module), str(path), "exec"), space)  # (the harness)
    scorer = space["CodeIODataset"]()
    for answer, truth in WRONG:
        reward = scorer.score_answer(answer, {"answer": truth})
        yield [f"`{answer}`", f"`{truth}`", f"{reward:.3f}"]


def stored_replies(data: Path, read: dict[str, Read]) -> Iterator[list[str]]:
    """Yield rows of Qwen2.5-Coder's replies on CRUXEval: model, each harness, ours, in percent of 800."""
    truths = {
        str(row["id"]): str(row["output"]) for _, row in read_rows(data / "cruxeval" / "cruxeval.jsonl")
    }
    for model in ("7b-output", "1.5b-output"):
        with gzip.open(data / "qwen2.5-coder" / f"{model}-completion_raw.json.gz", "rt") as file:
            # The file has the prompt before each reply, and the stop string behind it was cut off.
            replies = {name: ended(texts[0]) for name, texts in json.load(file).items()}
        cells = []
        for harness, reader in read.items():
            if harness.startswith("reasoning-gym"):
                continue
            right = sum(
                grade(f"[ANSWER]{reader(replies[name])}[/ANSWER]", expected=truth, policy="published").verdict
                == "right"
                for name, truth in truths.items()
            )
            cells.append(f"{right} ({100 * right / len(truths):.1f})")
        ours = sum(grade(replies[name], expected=truth).verdict == "right" for name, truth in truths.items())
        yield [model, *cells, f"{ours} ({100 * ours / len(truths):.1f})"]


def ended(text: str) -> str:
    """Return the reply alone, with the closing tag that was its stop string."""
    reply = text[text.rfind("[THOUGHT]") :] if "[THOUGHT]" in text else text
    return reply if reply.count("[ANSWER]") == reply.count("[/ANSWER]") else f"{reply.rstrip()}\n[/ANSWER]"


def left_out(data: Path) -> Iterator[list[str]]:
    """Yield LiveCodeBench's runs in which answers that hold the call leave the denominator."""
    folder = data / "livecodebench-exec"
    calls = {str(row["id"]): str(row["input"]) for _, row in read_rows(folder / "problems.jsonl")}
    for path in sorted((folder / "generations").glob("*.json*")):
        with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
            taken = json.load(file)["raw_generations"]
        skipped = {name: sum(calls[name] in text for text in texts) for name, texts in taken.items()}
        n_all, n_out = sum(map(len, taken.values())), sum(skipped.values())
        partly = sum(0 < skipped[name] < len(texts) for name, texts in taken.items())
        if n_out:
            yield [path.name.split(".json")[0], f"{n_all:,}", str(n_out), str(partly)]


def table(head: list[str], rows: Iterator[list[str]]) -> None:
    """Print one Markdown table."""
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |")
    print()


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--harnesses", type=Path, help="folder of the unpacked harnesses")
    parser.add_argument("--data", type=Path, help="folder of stored answers")
    given = parser.parse_args()
    if given.harnesses is None:
        print("nothing to read: --harnesses FOLDER holds the unpacked harnesses (see the head of this file)")
        return
    read = readers(given.harnesses)
    table(["reply", "truth", "wanted", *read, "deskcheck"], reproduced(read))
    print("\n".join(evalplus_sticky(given.harnesses)), end="\n\n")
    if importlib.util.find_spec("zss"):
        table(["wrong answer", "truth", "reasoning-gym's reward"], rewards_of_wrong_answers(given.harnesses))
    if given.data:
        short = [name for name in read if not name.startswith("reasoning-gym")]
        table(["replies of 800", *short, "deskcheck"], stored_replies(given.data, read))
        head = ["LiveCodeBench's run", "answers", "hold the call: in no denominator", "tasks they change"]
        table(head, left_out(given.data))


if __name__ == "__main__":
    main()
