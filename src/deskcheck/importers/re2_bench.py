"""Read saved answers to RE2-Bench (Intelligent-CAT-Lab/RE2Bench), from its repository's folders or from rows.

    results/output_prediction/SETTING/{HC,LC}/TASK.txt      a folder SETTING, with results/validations/*.csv
    SETTING.KIND.jsonl                                      rows {id, response, prediction, right, partial}

KIND is output, input, loop or branch. A SETTING is a model with its options; a name that ends in "-reasoning"
means high effort. "The source" is RE2-Bench. Its prompts ask for the answer between [OUTPUT] and [/OUTPUT],
[INPUT] and [/INPUT], or [ANSWER] and [/ANSWER].

    agreement("output", '{"output": "80"}', 80) -> (1, 1)     equal leaves, all leaves; by the source's rule
    marked("loop", reply) -> {"9": {"i": [0, 8]}}             values of a reply for the marks of the program

The source's rule for verdicts is written anew from its description. Values are compared leaf by leaf. A list
that is too short is compared as far as it goes; a collection that is too long has no equal leaf. A text that
looks like an array, set, dictionary or list is read as one; any other text of the wrong type is read as a
literal. The rule keeps the faults of the source (integers in an array lose their signs), because it has to
reproduce the published verdicts. Nothing is executed.
"""

from __future__ import annotations

import csv
import json
import math
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from deskcheck.errors import DataError
from deskcheck.grading.marks import as_lists, literal_or_text, marks_in
from deskcheck.importers import Dropped, SavedRun, no_answers_error
from deskcheck.importers._files import lines_of, stem
from deskcheck.languages import TRUTH_CHARS, equal, parse_literal
from deskcheck.records import Score, Task

KINDS = {
    "output": ("output", ("[OUTPUT]", "[/OUTPUT]")),
    "input": ("input", ("[INPUT]", "[/INPUT]")),
    "loop": ("loop-values", ("[ANSWER]", "[/ANSWER]")),
    "branch": ("branches", ("[ANSWER]", "[/ANSWER]")),
}

MARKS = {"loop": "state", "branch": "branch"}
"""KIND -> kind of the marks in its programs, as `grading.marks` names them."""
STOPS = ("[PYTHON]\n", "[EXAMPLE]\n", "[FILEPATH] ")
"""Marks of the prompt. A model that writes such a mark repeats the prompt or invents the next question."""

_NUMBER = re.compile(r"nan|[-+]?inf|[-+]?\d*\.\d+e[+-]?\d+|[-+]?\d*\.\d+|\d+", re.IGNORECASE)
_WORD = re.compile(r"'([^']*)'|(True|False)")
_ROWS = re.compile(r"\]\s*\[|\n")
_NAN = {"nan": None, "inf": math.inf, "+inf": math.inf, "-inf": -math.inf}


def recognizes(path: Path, first: object) -> bool:
    """Whether a row has an id, a response, a verdict (`right`) and the share of right parts (`partial`)."""
    return isinstance(first, dict) and {"id", "response", "right", "partial"} <= first.keys()


def read(path: Path) -> list[SavedRun]:
    """Read the run of one setting and one kind of question."""
    if path.is_dir():
        return [_of_folder(path)]
    setting, _, asked = stem(path).rpartition(".")
    if asked not in KINDS:
        raise DataError(f"{path}: expected a name SETTING.KIND.jsonl with a KIND of {', '.join(KINDS)}")
    kind, marks = KINDS[asked]
    texts: dict[str, list[str]] = {}
    stored: dict[str, list[bool | None]] = {}
    taken: dict[str, list[str]] = {}
    dropped = []
    for number, row in lines_of(path):
        if (
            not isinstance(row, dict)
            or not isinstance(row.get("id"), str)
            or not isinstance(row.get("response"), str)
        ):
            dropped.append(
                Dropped(f"line {number}", str(row) if isinstance(row, ValueError) else "no id or response")
            )
            continue
        texts[row["id"]] = [row["response"]]
        stored[row["id"]] = [bool(row["right"]) if row.get("right") in (0, 1) else None]
        if "prediction" in row:
            taken[row["id"]] = [json.dumps(row["prediction"], ensure_ascii=False)]
    if not texts:
        raise no_answers_error(path, "response", dropped)
    effort = "high" if setting.endswith("-reasoning") else ""
    return [
        SavedRun(
            "re2-bench", texts, stored=stored, taken=taken, model=setting, strategy="cot", kind=kind,
            marks=marks, stops=STOPS,
            spelling="json" if asked in ("output", "input") else "python",
            settings={"effort": effort} if effort else {}, dropped=dropped, path=str(path),
        )
    ]  # fmt: skip


_FOLDERS = {
    "output_prediction": "output", "input_prediction": "input", "loop_prediction": "loop",
    "branch_prediction": "branch",
}  # fmt: skip


def is_tree(path: Path) -> bool:
    """Return whether a folder holds the answers of one setting in the layout of the repository."""
    return _asked_in(path) != "" and any((path / level).is_dir() for level in ("HC", "LC"))


def _asked_in(path: Path) -> str:
    name = path.resolve().parent.name
    return next((asked for folder, asked in _FOLDERS.items() if name.startswith(folder)), "")


def _of_folder(path: Path) -> SavedRun:
    """Read a setting's folder; its verdicts come from results/validations, if that folder is there."""
    asked = _asked_in(path)
    if not is_tree(path):
        raise DataError(f"{path}: expected results/output_prediction/SETTING with folders HC and LC")
    kind, marks = KINDS[asked]
    ablation = path.resolve().parent.name.partition("prediction_")[2]
    verdicts = _verdicts(path, asked, ablation)
    texts: dict[str, list[str]] = {}
    dropped = []
    for file in sorted(one for level in ("HC", "LC") for one in (path / level).glob("*.txt")):
        try:
            texts[file.stem] = [file.read_text(encoding="utf-8")]
        except UnicodeDecodeError:
            dropped.append(Dropped(f"{file.parent.name}/{file.name}", "not text in UTF-8"))
    if not texts:
        raise no_answers_error(path, "response", dropped)
    as_json = asked in ("output", "input")
    return SavedRun(
        "re2-bench", texts,
        stored={task: [verdicts.get(_case(task))] for task in texts} if verdicts else {},
        taken={task: [_taken(replies[0], marks)] for task, replies in texts.items()} if as_json else {},
        model=path.name, kind=kind,
        strategy={"wocot": "direct", "wohint": "cot-no-hint"}.get(ablation, "cot"),
        marks=marks, stops=STOPS, spelling="json" if as_json else "python",
        settings={"effort": "high"} if path.name.endswith("-reasoning") else {},
        dropped=dropped, path=str(path),
    )  # fmt: skip


def _verdicts(path: Path, asked: str, ablation: str) -> dict[str, bool | None]:
    """Read the verdicts in SETTING_KIND.csv of the repository's validations; empty without such a file.

    In an ablation, such as `output_prediction_wocot`, the folder's name stands in place of KIND.
    """
    name = f"{asked}_prediction_{ablation}" if ablation else asked
    file = path.resolve().parents[1] / "validations" / f"{path.name}_{name}.csv"
    if not file.is_file():
        return {}
    with file.open(encoding="utf-8", newline="") as lines:
        return {
            _case(row["case_name"].removesuffix(".jsonl")): row["rs"] in ("1", "1.0")
            for row in csv.DictReader(lines)
        }


def _case(name: str) -> str:
    """Return the name of a problem as the source's verdicts write it: "a.utility.py@@f" is "a.utilit.f".

    The source strips the characters of ".py" from the end, so the last y of "utility" goes, too.
    """
    module, file, function = name.rpartition(".py@@")
    if file:
        return f"{module.rstrip('.py')}.{function}"
    return re.sub(r"\AClassEval_\d+@(\w+)\.", r"\1@", re.sub(r"\Asample_(?=\d)", "cruxeval_", name))


def _taken(reply: str, marks: tuple[str, str]) -> str:
    """Return the JSON between the first marks, as the source extracts it; "{}" if it is not JSON."""
    inside = reply.partition(marks[0])[2].partition(marks[1])[0]
    try:
        return json.dumps(json.loads(re.sub(r"```(?:json)?", "", inside)), ensure_ascii=False)
    except ValueError:
        return "{}"


def is_right(kind: str, reply: str, truth: str) -> bool | None:
    """Return the source's verdict on the answer that it extracted; None = no answer ("{}" or unreadable)."""
    asked = _asked(kind)
    try:
        value = _truth(truth)
        same, leaves = agreement(asked, reply, _unwrapped(value) if asked == "output" else value)
    except ValueError:
        return None
    return True if same == leaves > 0 else None if reply == "{}" else False


def why_differs(task: Task, taken: str, score: Score) -> str:
    """Return why our verdict differs from the source's; `taken` is the answer that the source extracted."""
    asked = _asked(task.kind)
    if asked in ("loop", "branch"):
        return task.tags.get("not checkable") or why_of_marks(score.verdict)
    found, truth = json.loads(taken), _truth(task.expected)
    if found == {} != truth:
        return "the source found no answer"
    if score.verdict == "no answer" and score.reason != "not_asked":
        return "nothing that can be read as the answer"
    found, truth = (_unwrapped(found), _unwrapped(truth)) if asked == "output" else (found, truth)
    if equal(found, truth, "strict") != (score.verdict == "right"):
        return "another part of the reply is read"
    if score.verdict == "right":
        return "equal, and not right there"
    return "by execution only" if asked == "input" else leniency(found, truth)


def why_of_marks(verdict: str) -> str:
    """Return why verdicts on loops or branches differ: the source reads the first answer, we the last one."""
    return {
        "no answer": "nothing in the last answer",
        "right": "right in the last answer, not in the first",
        "wrong": "wrong in the last answer",
    }[verdict]


def leniency(answer: Any, truth: Any) -> str:
    """Name the rule by which the source counts an output as right although its type or value differs."""
    if isinstance(answer, str) != isinstance(truth, str):
        return "the value written as text, or the text as a value"
    if _shorter(answer, truth):
        return "a list that is too short, compared only as far as it goes"
    if isinstance(answer, str):
        return "a text that prints an array or collection in another way"
    if equal(answer, truth, "lenient"):
        return "a number of another type"
    return "inside it a text that is written in another way"


def _shorter(answer: Any, truth: Any) -> bool:
    if isinstance(answer, list) and isinstance(truth, list):
        return len(answer) < len(truth) or any(map(_shorter, answer, truth))
    if isinstance(answer, dict) and isinstance(truth, dict):
        return any(_shorter(answer[name], truth[name]) for name in answer.keys() & truth.keys())
    return False


@lru_cache(maxsize=512)  # a task's truth is compared with the answer of every setting
def _truth(text: str) -> Any:
    return parse_literal(text, most=TRUTH_CHARS)


def _asked(kind: str) -> str:
    return next(name for name, (question, _) in KINDS.items() if question == kind)


# ------------------------------------------------------------------ the source's rule


def agreement(asked: str, reply: str, truth: Any) -> tuple[int, int]:
    """Count (equal leaves, all leaves) by the source's rule; for loops and branches, lines instead of leaves.

    `asked`: a key of KINDS. `reply`: the whole reply for loops and branches; for outputs and inputs, the JSON
    that the source extracted (ValueError for other text). A program without a marked line counts as right, as
    in the source.
    """
    if asked in ("loop", "branch"):
        said = marked(asked, reply)
        same = sum(line_is_right(said.get(line), blanks) for line, blanks in truth.items())
        return (same, len(truth)) if truth else (1, 1)
    answer = json.loads(reply)
    return _leaves_alike(_unwrapped(answer) if asked == "output" else answer, truth)


def marked(asked: str, reply: str) -> dict[str, Any]:
    """Map line numbers to the first answer's entries: {name: value} for loops, [taken, ..] for branches."""
    _, mark, rest = reply.partition("[ANSWER]")
    return marks_in(MARKS[asked], rest.partition("[/ANSWER]")[0] if mark else "")


def line_is_right(answer: Any, truth: Any) -> bool:
    """Whether one line of a loop or branch question is right, in every name or every visit of the truth."""
    if isinstance(truth, dict):  # other names on the line do not count
        return isinstance(answer, dict) and all(
            name in answer and as_lists(answer[name]) == as_lists(value) for name, value in truth.items()
        )
    return bool(answer == truth)


def _unwrapped(value: Any) -> Any:
    return value["output"] if isinstance(value, dict) and "output" in value else value


def _leaves_alike(answer: Any, truth: Any) -> tuple[int, int]:
    answer = _read(answer) if isinstance(answer, str) else answer
    truth = _read(truth) if isinstance(truth, str) else truth
    if type(answer) is not type(truth):
        if isinstance(answer, str) and (value := literal_or_text(answer.strip())) != answer.strip():
            return _leaves_alike(value, truth)
        return 0, _leaves(truth)
    if isinstance(truth, str):
        return int(answer.strip() == truth.strip()), 1
    if not isinstance(truth, list | dict | set | frozenset):
        return int(answer == truth), 1
    if not truth:
        return int(not answer), 1
    if isinstance(truth, list):
        pairs = [_leaves_alike(a, b) for a, b in zip(answer, truth, strict=False)] or [(0, len(truth))]
    elif isinstance(truth, dict):
        pairs = [_member(answer, name, value) for name, value in truth.items()]
    else:
        pairs = [(len(answer & truth), len(truth))]
    same = 0 if len(answer) > len(truth) else sum(one for one, _ in pairs)
    return same, sum(n for _, n in pairs)


def _member(answer: dict[str, Any], name: str, truth: Any) -> tuple[int, int]:
    if name not in answer:
        return 0, 1
    if name == "operation":  # the source's data has functions under this name; here they are texts
        return _leaves_alike(str(answer[name]), str(truth))
    return _leaves_alike(answer[name], truth)


def _leaves(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_leaves, value.values())) if value else 1
    if isinstance(value, list):
        return sum(map(_leaves, value)) if value else 1
    return max(1, len(value)) if isinstance(value, set | frozenset) else 1


def _read(text: str) -> Any:
    """Read a text as the source does: as an array, a set, a dictionary, a list of words, or a text."""
    bare = text.strip()
    bracketed = bare.startswith("[") and bare.endswith("]")
    if bare.startswith("array(") or (bracketed and _NUMBER.search(bare)):
        return _array(bare)
    name, opening, rest = bare.partition("(")
    if opening and name in ("set", "frozenset") and rest.endswith(")"):
        members = _set(literal_or_text(rest[:-1]), frozen=name == "frozenset")
        return text if members is None else members
    if bare.startswith("{") and bare.endswith("}"):
        value = literal_or_text(bare)
        if isinstance(value, set) or (isinstance(value, dict) and bare == text):
            return value
    if bracketed and (words := _WORD.findall(bare)):
        return [flag == "True" if flag else word for word, flag in words]
    return text


def _set(members: Any, *, frozen: bool) -> Any:
    """Make a set; None if `members` is no collection or a member is not hashable."""
    if not isinstance(members, list | tuple | set | dict):
        return None
    try:
        return frozenset(members) if frozen else set(members)
    except TypeError:
        return None


def _array(text: str) -> list[Any]:
    """Read rows of numbers; return the numbers themselves if there is a single row."""
    if text.startswith("array(") and text.endswith(")"):
        text = text[len("array(") : -1].strip()
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1].strip()
    rows = [[_number(token.lower()) for token in _NUMBER.findall(row)] for row in _ROWS.split(text)]
    rows = [row for row in rows if row]
    return rows[0] if len(rows) == 1 else rows


def _number(token: str) -> float | None:
    return _NAN[token] if token in _NAN else float(token)
