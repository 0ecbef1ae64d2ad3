"""base-completion: worked calls one under another, the last left open; for base models, which only go on.

    Task -> "def f(n): ..\nassert f(3) ==" after some such programs -> the text up to the end of the line

For models without a chat format: `--model hub -M path=FOLDER`, or a server's completions endpoint. The
examples are this project's own. A reply is read to its first line end, so what the model goes on to write
does not count.
"""

from __future__ import annotations

from deskcheck.grading.verdict import answer_of
from deskcheck.records import Answer, Attempt, Completion, Message, NoAnswer, Prompt, Task
from deskcheck.strategies import Ask, Settings
from deskcheck.turns import worked_examples

MAX_TOKENS = 256
SHOTS = 2
"""Where the setting says nothing."""
FITS = frozenset({"output"})
WHY = "it leaves a comparison with a result open"
SETTINGS = frozenset({"shots"})
TRAINED = False
AT_ONCE = True


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the only prompt of the rollout."""
    examples = worked_examples.tasks(task.kind)[: settings.shots or SHOTS]
    shown = [f"{_left_open(example)} {example.expected}\n\n" for example in examples]
    return Prompt([Message("user", "".join(shown) + _left_open(task))], max_tokens=MAX_TOKENS, stop=["\n"])


async def run(task: Task, ask: Ask, settings: Settings) -> Attempt:
    """Ask one question and read its answer."""
    completion = await ask(opening(task, settings))
    return Attempt(read(task, completion), [completion])


def read(task: Task, completion: Completion) -> Answer | NoAnswer:
    """The rest of the line; a line that ended was not cut, whatever came after it."""
    line, end, _ = completion.text.lstrip().partition("\n")
    finish = "stop" if end else completion.finish_reason
    tagged = line if "[ANSWER]" in line else f"[ANSWER]{line}[/ANSWER]"
    return answer_of(task, Completion(tagged if finish == "stop" else line, finish))


def _left_open(task: Task) -> str:
    return f"{task.program.source.rstrip()}\n\nassert {task.call} =="
