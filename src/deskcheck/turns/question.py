"""Build the prompt with the whole program and one question, for strategies such as vanilla, cot and few-shot.

    prompt_of(task, HOW, settings, max_tokens=1024) -> Prompt

The task holds its question and the form of the answer (`Task.question`, `Task.form`); a strategy adds the way
to the answer. The tags are those of CRUXEval (arXiv 2401.03065). There is no stop string, because it could
occur in the reasoning of a model.
"""

from __future__ import annotations

from deskcheck.errors import UserError
from deskcheck.questions import filled, output
from deskcheck.records import Message, Prompt, Task
from deskcheck.turns.settings import Settings

TEMPLATE = {
    "en": """\
You are given a {name} program and a call of it. Answer the question about what happens when the call is
executed exactly as {name} executes it.

{statement}[{tag}]
{source}
[/{tag}]

Call: {call}

{question}
{how}""",
    "zh": """\
给定一段 {name} 程序和对它的一个调用。请回答：严格按照 {name} 的语义执行该调用时会发生什么。

{statement}[{tag}]
{source}
[/{tag}]

调用：{call}

{question}
{how}""",
}
NAMES = {"javascript": "JavaScript", "typescript": "TypeScript", "cpp": "C++", "cs": "C#", "php": "PHP"}


def prompt_of(
    task: Task, how: dict[str, str], settings: Settings, *, max_tokens: int, temperature: float = -1.0
) -> Prompt:
    """Return the prompt of one message; `how` is its last paragraph by language, with the blank {form}."""
    return Prompt(
        [Message("user", text_of(task, how, settings))], max_tokens=max_tokens, temperature=temperature
    )


def text_of(task: Task, how: dict[str, str], settings: Settings) -> str:
    """Return the text of the prompt. UserError if the task has no question in the language."""
    name = name_of(task)
    return TEMPLATE[settings.statement_language].format(
        name=name,
        tag=name.upper(),
        statement=f"{task.statement.strip()}\n\n" if task.statement else "",
        source=source_of(task),
        call=task.call,
        question=words(task, "question", settings.statement_language),
        how=how[settings.statement_language].format(form=words(task, "form", settings.statement_language)),
    )


def name_of(task: Task) -> str:
    """Return the usual name of the program's language."""
    name = task.program.language.partition(" of ")[0]
    return NAMES.get(name, name.capitalize())


def source_of(task: Task) -> str:
    """Return the program, with numbered lines if the question names lines."""
    source = task.program.source.rstrip("\n")
    return numbered(source) if task.numbered else source


def numbered(source: str) -> str:
    """Return the program with "1: " before its first line, and so on."""
    return "\n".join(f"{number}: {line}" for number, line in enumerate(source.split("\n"), 1))


def words(task: Task, part: str, statement_language: str) -> str:
    """Return the question or the form of a task (`part`); an output task without its own has the usual one.

    UserError if there is none in the spoken language.
    """
    own: dict[str, str] = getattr(task, part)
    if not own and task.kind == "output":
        usual = {"question": output.QUESTION, "form": output.FORM}[part]
        own = filled(usual, task.program.language, {})
    if statement_language not in own:
        raise UserError(
            f"'{task.kind}' tasks of '{task.benchmark}' have no {part} in language '{statement_language}'"
        )
    return own[statement_language]
