"""template: a prompt in the user's own words (`--prompt FILE`), or a published one word for word.

    Task -> the text of a file with {code}, {call}, {form} filled in -> the value between the tags

`--prompt cruxeval-direct`, `cruxeval-cot`, `cruxeval-input-direct`, `cruxeval-input-cot` (arXiv 2401.03065),
`livecodebench-direct` and `livecodebench-cot` (arXiv 2403.07974) are fetched at a pinned commit and checked
by hash. So are REval's `reval-coverage`, `reval-path`, `reval-state` and `reval-output` (arXiv 2403.16437;
kinds `reached`, `next-line`, `state`, `output`), whose answers are YES, lines of code or "value; type". These
published prompts use the sampling of their source unless options set it. `turns/wording.py` lists the other
blanks. Without `--prompt` the prompt `PLAIN` is used. If a prompt ends with the opening tag [ANSWER], the
reply may begin after it.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from deskcheck.grading.verdict import answer_of
from deskcheck.records import Completion, Message, Prompt, Rollout, Task
from deskcheck.strategies import ANY, Ask, Settings
from deskcheck.turns.question import source_of, words
from deskcheck.turns.source_prompts import MARKS, prompt_text
from deskcheck.turns.wording import Wording, filled, wording

EXPERIMENTAL = True
PLAIN = Wording("plain", "{code}\n\n{call}\n\n{question}\nWrite {form} between [ANSWER] and [/ANSWER].\n")
FITS = ANY
SETTINGS = frozenset({"prompt", "statement_language"})
STATEMENT_LANGUAGES = ("en", "zh")
TRAINED = False
AT_ONCE = True
OPEN, CLOSE = "[ANSWER]", "[/ANSWER]"


def refusal(kind: str, settings: Settings) -> str:
    """Return why a wording cannot ask this kind; "" if it can."""
    asked = _wording(settings)
    if asked.kind and asked.kind != kind:
        return f"the prompt {asked.name} asks for '{asked.kind}'"
    if "{output}" in asked.text and kind != "input":
        return f"the prompt {asked.name} shows {{output}}, which is the answer there"
    return ""


def python_by_settings(settings: Settings) -> str:
    """Return why a wording is about Python alone; "" for a user's own, which may be about any language."""
    asked = _wording(settings)
    return f"the prompt {asked.name} is about Python" if asked.kind else ""


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the only prompt of the rollout."""
    if place := _wording(settings).place:
        text = prompt_text(place, task.kind, task.id)
        return Prompt([Message("user", text)], max_tokens=_wording(settings).max_tokens)
    return filled(_wording(settings), values(task, settings))


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask one question and read its answer, which may continue the end of the prompt."""
    completion = await ask(opening(task, settings))
    read, end = completion, _wording(settings).text.rstrip()
    if _wording(settings).place:
        return Rollout(answer_of(task, _in_our_marks(completion, MARKS[task.kind])), [completion])
    if end.endswith(OPEN) and OPEN not in read.text:
        read = replace(read, text=OPEN + read.text)
    if CLOSE in _wording(settings).stop and read.finish_reason != "length" and _is_open(read.text):
        read = replace(read, text=read.text + CLOSE)
    if (reading := _wording(settings).reading) and CLOSE in read.text:
        said = read.text.rpartition(CLOSE)[0].rpartition(OPEN)[2].strip()
        read = replace(read, text=f"{OPEN}{READINGS[reading](said, task)}{CLOSE}")
    return Rollout(answer_of(task, read), [completion])


def _in_our_marks(completion: Completion, word: str) -> Completion:
    """Return the reply with the source's marks replaced by ours; the value may stand in a fence."""
    found = re.findall(
        rf"\[{word}\]\s*(?:```\w*\n)?(.*?)(?:\n```)?\s*\[/{word}\]", completion.text, re.DOTALL
    )
    return replace(completion, text=f"{OPEN}{found[-1]}{CLOSE}") if found else completion


def _yes_or_no(text: str, task: Task) -> str:
    """Return "True" for YES and "False" for NO, by the first three letters; other texts are unchanged."""
    yes, no = ("YES" in text.upper()[:3], "NO" in text.upper()[:3])
    return str(yes) if yes != no else text


def _line_number(text: str, task: Task) -> str:
    """Return the number of the line with that text; 0 for -1.

    Among equal lines the asked one counts, as in REval.
    """
    text = text.split("\n")[0].strip()
    if text == "-1":
        return "0"
    alike = [n for n, line in enumerate(task.program.source.split("\n"), 1) if line.strip() == text]
    if task.expected in map(str, alike):
        return task.expected
    return str(alike[0]) if alike else text


def _value_and_type(text: str, task: Task) -> str:
    """Return "1; int" as (1, 'int'), and "Nil" as (None, 'Nil'), which is never true."""
    value, semicolon, of = text.rpartition(";")
    if not semicolon:
        return "(None, 'Nil')" if text.capitalize() == "Nil" else text
    of = of.strip().removeprefix("<class '").removesuffix("'>").partition("[")[0].strip()
    return f"({value.strip()}, {ALIASES.get(of.lower(), of)!r})"


ALIASES = {"string": "str", "integer": "int"}
READINGS = {"yes-no": _yes_or_no, "line": _line_number, "value; type": _value_and_type}


def values(task: Task, settings: Settings) -> dict[str, str]:
    """Return the text for each blank of the wording."""
    call, entry = task.call, task.program.entry
    arguments = call[len(entry) + 1 : -1] if call.startswith(f"{entry}(") else call
    source = task.program.source
    line, _, variable = task.id.rpartition("@")[2].replace(".", "@", 1).partition("@")
    lines = source.split("\n")
    return {
        "source": source,
        "tabbed": "".join(f"{number}\t{text}\n" for number, text in enumerate(lines, 1)),
        "line": line,
        "codeline": lines[int(line) - 1] if line.isdigit() and 0 < int(line) <= len(lines) else "",
        "variable": variable.partition(".")[2],
        "code": source_of(task),
        "call": call,
        "arguments": arguments,
        "entry": entry,
        "output": task.expected if task.grading == "executed" else "",
        "statement": task.statement.strip(),
        "question": words(task, "question", settings.statement_language),
        "form": words(task, "form", settings.statement_language),
    }


def _wording(settings: Settings) -> Wording:
    return wording(settings.prompt) if settings.prompt else PLAIN


def _is_open(text: str) -> bool:
    return text.rfind(OPEN) > text.rfind(CLOSE)
