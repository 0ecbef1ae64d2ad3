"""run-python: the model may run Python before it answers; a ceiling for strategies without tools.

    Task -> a Prompt -> "[RUN]print(f(3))[/RUN]" -> its output -> .. -> the value in [ANSWER]

A control for rows without tools: a model that runs the program learns the truth, so the row is marked as an
oracle. Its wrong answers are errors of reading, format and judgment, not of execution. At most four scripts
run for one answer, each in a separate process of the sandbox. No request carries a tool, so every chat model
can be asked.
"""

from __future__ import annotations

import asyncio
import re

from deskcheck.grading.extraction import without_thinking
from deskcheck.grading.verdict import answer_of
from deskcheck.records import Completion, Message, Prompt, Rollout, Task
from deskcheck.sandbox.script import Ran, run_script
from deskcheck.strategies import ANY, Ask, Settings
from deskcheck.turns.question import prompt_of

EXPERIMENTAL = True
HOW = {
    "en": "You may run Python: write a whole script between [RUN] and [/RUN] and stop. You are shown what it "
    "prints; nothing is kept between scripts. At the end write {form} between [ANSWER] and [/ANSWER].",
    "zh": "你可以运行 Python：请将完整的脚本写在 [RUN] 和 [/RUN] 之间，然后停止。系统会把输出给你看；"
    "各脚本之间不保留任何内容。最后请给出{form}，并放在 [ANSWER] 和 [/ANSWER] 之间。",
}
PRINTED = {"en": "It printed:\n{output}", "zh": "输出：\n{output}"}
ENDED = {"en": "\nIt ended with: {why}", "zh": "\n结束原因：{why}"}
LAST = {"en": "\nNow answer; nothing more can be run.", "zh": "\n请作答，不能再运行脚本。"}
RUNS = 4
"""Most scripts that are run for one answer."""
TIME_S = 10.0
"""Time limit of a script, in seconds."""
MOST_CHARACTERS = 4_000
"""Most characters of a script's output that the model is shown."""
MAX_TOKENS = 4096
FITS = ANY
PYTHON = "the model is given Python to run the program"
SETTINGS = frozenset({"statement_language"})
STATEMENT_LANGUAGES = ("en", "zh")
TRAINED = False
ORACLE = True
_SCRIPT = re.compile(r"\[RUN\](.*?)\[/RUN\]", re.DOTALL)


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the first prompt of the rollout."""
    return prompt_of(task, HOW, settings, max_tokens=MAX_TOKENS)


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask, run the script of the reply, and ask again with its output."""
    messages = opening(task, settings).messages
    completions: list[Completion] = []
    for left in range(RUNS, -1, -1):
        completions.append(await ask(Prompt(messages, max_tokens=MAX_TOKENS)))
        source = script_of(completions[-1].text) if left else ""
        if not source:
            break
        ran = await asyncio.to_thread(run_script, source, time_s=TIME_S)
        messages = [
            *messages,
            Message("assistant", completions[-1].text),
            Message(
                "user",
                shown(ran, settings.statement_language)
                + (LAST[settings.statement_language] if left == 1 else ""),
            ),
        ]
    return Rollout(answer_of(task, completions[-1]), completions)


def estimate(task: Task, settings: Settings, first: int) -> list[int]:
    """Estimate the tokens of the prompts if RUNS scripts are run; a script and its output count as 300."""
    return [first + 300 * k for k in range(RUNS + 1)]


def script_of(text: str) -> str:
    """Return the script that a reply wants to run; "" if it answers. Text after the script is ignored."""
    found = _SCRIPT.search(without_thinking(text) or "")
    if found is None:
        return ""
    source = found[1].strip()
    return source.removeprefix("```python").removeprefix("```").removesuffix("```").strip()


def shown(ran: Ran, statement_language: str) -> str:
    """Return the output of a script in the words of the next request."""
    output = ran.output[:MOST_CHARACTERS] + (" [..]" if len(ran.output) > MOST_CHARACTERS else "")
    return PRINTED[statement_language].format(output=output) + (
        ENDED[statement_language].format(why=ran.why) if ran.why else ""
    )
