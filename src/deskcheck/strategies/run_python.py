"""run-python: the model may run Python before it answers; what a tool makes of the same questions, a ceiling.

    Task -> a Prompt -> "[RUN]print(f(3))[/RUN]" -> its output -> .. -> the value in [ANSWER]

A control beside rows that execute in the head: a model that runs the program learns the truth, so the row is
marked as an oracle. What it misses is reading, format and judgement, not execution. Its code runs contained,
RUNS times at most, each a process of its own; no request carries a tool, so every chat model can be asked.
"""

from __future__ import annotations

import asyncio
import re

from deskcheck.grading.extraction import without_thinking
from deskcheck.grading.verdict import answer_of
from deskcheck.records import Attempt, Completion, Message, Prompt, Task
from deskcheck.sandbox.script import Ran, run_script
from deskcheck.strategies import ANY, Ask, Settings
from deskcheck.turns.question import prompt_of

HOW = {
    "en": "You may run Python: write a whole script between [RUN] and [/RUN] and stop. You are shown what it "
    "prints; nothing is kept between scripts. At the end write {form} between [ANSWER] and [/ANSWER].",
    "zh": "你可以运行 Python：请将完整的脚本写在 [RUN] 和 [/RUN] 之间，然后停止。系统会把输出给你看；"
    "各脚本之间不保留任何内容。最后请将{form}写在 [ANSWER] 和 [/ANSWER] 之间。",
}
PRINTED = {"en": "It printed:\n{output}", "zh": "输出：\n{output}"}
ENDED = {"en": "\nIt ended with: {why}", "zh": "\n结束原因：{why}"}
LAST = {"en": "\nNow answer; nothing more can be run.", "zh": "\n请作答，不能再运行脚本。"}
RUNS = 4
TIME_S = 10.0
MOST_CHARACTERS = 4_000
"""Of what a script printed."""
MAX_TOKENS = 4096
FITS = ANY
SETTINGS = frozenset({"language"})
LANGUAGES = ("en", "zh")
TRAINED = False
ORACLE = True
_SCRIPT = re.compile(r"\[RUN\](.*?)\[/RUN\]", re.DOTALL)


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the first prompt of the rollout."""
    return prompt_of(task, HOW, settings, max_tokens=MAX_TOKENS)


async def run(task: Task, ask: Ask, settings: Settings) -> Attempt:
    """Ask, run what is to be run, and ask again with its output."""
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
            Message("user", shown(ran, settings.language) + (LAST[settings.language] if left == 1 else "")),
        ]
    return Attempt(answer_of(task, completions[-1]), completions)


def estimate(task: Task, settings: Settings, first: int) -> list[int]:
    """Tokens of the prompts where every run is used; a script and its output are taken for 300."""
    return [first + 300 * k for k in range(RUNS + 1)]


def script_of(text: str) -> str:
    """The script that a reply wants to be run; "" where it answers. What follows the script was made up."""
    found = _SCRIPT.search(without_thinking(text) or "")
    if found is None:
        return ""
    source = found[1].strip()
    return source.removeprefix("```python").removeprefix("```").removesuffix("```").strip()


def shown(ran: Ran, language: str) -> str:
    """What the model is told of a run."""
    output = ran.output[:MOST_CHARACTERS] + (" [..]" if len(ran.output) > MOST_CHARACTERS else "")
    return PRINTED[language].format(output=output) + (ENDED[language].format(why=ran.why) if ran.why else "")
