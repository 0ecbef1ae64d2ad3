"""base-completion: worked calls as asserts, the last one left open, for base models that only continue text.

    output: "def f(n): ..\\nassert f(3) ==" after some such programs -> the text up to the end of the line
    input: "def f(n): ..\\nassert 9 == f(", or "with raises(KeyError): f(" -> the rest of the call

For models without a chat format: `--model hub -M path=FOLDER`, or a server's completions endpoint (for
example `--model vllm-completions/NAME`). The examples are this project's own. Only the first line of a reply
is read, so further text does not count.
"""

from __future__ import annotations

from deskcheck.grading.verdict import answer_of
from deskcheck.records import Answer, Completion, Message, NoAnswer, Prompt, Rollout, Task
from deskcheck.strategies import Ask, Settings
from deskcheck.turns import worked_examples

MAX_TOKENS = 256
SHOTS = 2
"""Number of examples without the setting `shots`."""
FITS = frozenset({"output", "input"})
WHY = "it leaves a comparison of a call with its result open"
PYTHON = "its worked examples are in Python"
SETTINGS = frozenset({"shots"})
TRAINED = False
RAW = True
AT_ONCE = True


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the only prompt of the rollout."""
    examples = worked_examples.tasks(task.kind)[: settings.shots or SHOTS]
    shown = [f"{_left_open(example)}{_rest(example)}\n\n" for example in examples]
    return Prompt([Message("user", "".join(shown) + _left_open(task))], max_tokens=MAX_TOKENS, stop=["\n"])


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask one question and read its answer."""
    completion = await ask(opening(task, settings))
    return Rollout(read(task, completion), [completion])


def read(task: Task, completion: Completion) -> Answer | NoAnswer:
    """Read the rest of the line; a line that ended is not truncated, whatever follows it."""
    line, end, _ = completion.text.lstrip().partition("\n")
    finish = "stop" if end else completion.finish_reason
    if task.kind == "input" and "[ANSWER]" not in line:
        line = f"{task.program.entry}({line}"
    tagged = line if "[ANSWER]" in line else f"[ANSWER]{line}"  # not closed, so that only a literal is read
    return answer_of(task, Completion(tagged if finish == "stop" else line, finish))


def _left_open(task: Task) -> str:
    source, entry = task.program.source.rstrip(), task.program.entry
    if task.kind == "output":
        return f"{source}\n\nassert {task.call} =="
    error = task.expected.removeprefix("raises ")
    asked = f"assert {error} ==" if error == task.expected else f"with raises({error}):"
    return f"{source}\n\n{asked} {entry}("


def _rest(task: Task) -> str:
    return f"{task.program.arguments})" if task.kind == "input" else f" {task.expected}"
