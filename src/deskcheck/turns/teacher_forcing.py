"""Every step from the true state before it, so that no step suffers from another: accuracy per step.

    await fed([state, ..], ask, settings, question, read) -> Attempt; chain: the believed state after each

An oracle: the truth is in every question. The answer is what the last step says. A reply that ends the run
too early leaves its text in the chain, one that cannot be read nothing; the next true state is asked about.
Source: the individual-state accuracy of Execution Tuning (arXiv 2503.05703, table 1).
"""

from __future__ import annotations

from collections.abc import Callable

from deskcheck.records import Answer, Attempt, Completion, NoAnswer, Prompt
from deskcheck.states.tree import StateTree
from deskcheck.turns.chain import Read, readable
from deskcheck.turns.layout import plain
from deskcheck.turns.settings import Ask, Settings


async def fed(
    run: list[StateTree],
    ask: Ask,
    settings: Settings,
    question: Callable[[StateTree], Prompt],
    read: Read,
) -> Attempt:
    """One question for each true state of `run`, at most `max_steps`."""
    completions: list[Completion] = []
    chain: list[str] = []
    ended: Answer | NoAnswer = NoAnswer("budget", f"the run has more than {settings.max_steps} steps")
    for number, before in enumerate(run[: settings.max_steps], 1):
        completions.append(await ask(question(before)))
        found = readable(read, before, completions[-1], number)
        if number == len(run):
            ended = NoAnswer("unparsable", f"step {number}: it ends the run, and the reply goes on")
            ended = found if not isinstance(found, StateTree) else ended
        elif isinstance(found, StateTree):
            chain.append(str(found))
        else:
            chain.append("" if isinstance(found, NoAnswer) else plain(completions[-1].text))
    return Attempt(ended, completions, chain)
