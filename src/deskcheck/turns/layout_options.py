"""Two options of every trained layout: calls as one step, and literals spelled out.

    strategy = WithOptions(plugins.load("strategy", "line-1"))
    strategy.opening(task, Settings(step_in="no")) -> Prompt, whose head begins with "[line-1 step_in=no]"
    marked("[line-1]\\n@1 ..", step_in="no", literals="plain")  -> "[line-1 step_in=no]\\n@1 .."
    written(head, body, answer, step_in="yes", literals="spelled")  -> the three as a model is trained on them

step_in=no: calls in the true run are stepped over (`states/calls.py`), so `s = f(x)` is one step.
literals=spelled: prompts and answers are spelled out (`states/spelling.py`); a reply is converted back before
it is read. The head names the options that are not defaults, so that one model can be trained on all of them.
A layout needs no code for either option.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from msgspec.structs import replace

from deskcheck.records import Completion, Prompt, Rollout, Task
from deskcheck.states.calls import stepped_over
from deskcheck.states.spelling import plain_again, spelled, spelled_code
from deskcheck.turns.settings import Ask, Settings

OPTIONS = frozenset({"step_in", "literals"})
ROOM = 2
"""Factor of the token budget for spelled answers."""


def marked(head: str, *, step_in: str, literals: str) -> str:
    """Return the head with its options that are not defaults; unchanged if it names no layout."""
    marks = [f"step_in={step_in}"] * (step_in != "yes") + [f"literals={literals}"] * (literals != "plain")
    first, end, rest = head.partition("]\n")
    return f"{first} {' '.join(marks)}{end}{rest}" if marks and head.startswith("[") and end else head


def written(head: str, body: str, target: str, *, step_in: str, literals: str) -> tuple[str, str, str]:
    """Return head, body and answer of a training example under these options."""
    if literals == "spelled":
        head, body, target = _spelled_head(head), spelled(body), spelled(target)
    return marked(head, step_in=step_in, literals=literals), body, target


def is_turned(settings: Settings) -> bool:
    """Return whether one of OPTIONS differs from its default."""
    return (settings.step_in, settings.literals) != ("yes", "plain")


def _spelled_head(head: str) -> str:
    """Return the head with its program spelled out; the layout's name does not change."""
    name, end, code = head.partition("\n") if head.startswith("[") else ("", "", head)
    return name + end + spelled_code(code)


class WithOptions:
    """A trained layout's strategy that also takes OPTIONS."""

    def __init__(self, strategy: ModuleType) -> None:
        self._strategy: Any = strategy
        self.SETTINGS: frozenset[str] = strategy.SETTINGS | OPTIONS

    def __getattr__(self, name: str) -> Any:
        return getattr(self._strategy, name)

    def opening(self, task: Task, settings: Settings) -> Prompt:
        """Return the strategy's first prompt, under the options."""
        return _prompt(self._strategy.opening(stepping(task, settings), settings), settings)

    async def run(self, task: Task, ask: Ask, settings: Settings) -> Rollout:
        """Run the strategy, with the options applied to every prompt and reply."""

        async def asked(prompt: Prompt) -> Completion:
            completion = await ask(_prompt(prompt, settings))
            if settings.literals == "plain":
                return completion
            return replace(completion, text=plain_again(completion.text))

        rollout: Rollout = await self._strategy.run(stepping(task, settings), asked, settings)
        return rollout

    def refusal(self, kind: str, settings: Settings) -> str:
        """Return why the strategy cannot ask this kind with these settings; "" if it can."""
        if settings.shots and is_turned(settings):
            return "step_in and literals are for models trained with them; worked examples show neither"
        if settings.step_in == "no" and kind != "output":
            return "with step_in=no the run shows no line of a callee; only the output is asked"
        own = getattr(self._strategy, "refusal", None)
        return str(own(kind, settings)) if own is not None else ""


def stepping(task: Task, settings: Settings) -> Task:
    """Return the task with the run that the strategy follows."""
    return replace(task, truth=stepped_over(task.truth)) if settings.step_in == "no" else task


def _prompt(prompt: Prompt, settings: Settings) -> Prompt:
    if not is_turned(settings):
        return prompt
    is_spelled = settings.literals == "spelled"
    messages = []
    for message in prompt.messages:
        text = message.text
        if message.role == "system":
            text = _spelled_head(text) if is_spelled else text
            text = marked(text, step_in=settings.step_in, literals=settings.literals)
        elif is_spelled:
            text = spelled(text)
        messages.append(replace(message, text=text))
    room = ROOM if is_spelled else 1
    return replace(prompt, messages=messages, max_tokens=prompt.max_tokens * room)
