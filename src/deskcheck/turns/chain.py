"""Build prompts in a layout, and run step loops that carry only a state from one prompt to the next.

    opening("direct", task, settings, max_tokens=256) -> Prompt: head "[direct]" and the code, body
        "call f(3)"
    chain = Chain(ask, settings, start);  await chain.run(question, read)
    await fed([state, ..], ask, settings, question, read) -> Rollout; chain: the believed state after each

Without worked examples (`shots`), the system message is the head and the user message the body, as in
training. With them, a chat model first gets the rules of the notation and the examples; head and body are
then one user message.

`question(state)` returns the prompt, `read(state, text)` the state after the reply, or the answer. The loop
ends at an answer, after `max_steps` prompts (a number that is never derived from the truth), at a reply that
cannot be read or applied, and when a state recurs. A greedy model would go on as it did before, so its loop
ends at the first recurrence; other loops end after more than MAX_VISITS visits to one state. With
on_error=reask, the prompt of an unreadable reply is asked again at TEMPERATURE, up to RETRIES times. With
on_error=vote, VOTES replies are drawn at TEMPERATURE after an unreadable one, and the most frequent readable
reply counts. Every prompt counts towards `max_steps`.

Teacher forcing (`fed`) asks every step from the true state before it, so that no error affects a later step.
This measures accuracy per step. It is an oracle, since the truth is in every prompt. The answer is that of
the last step. A reply that ends the run too early leaves its text in the chain, an unreadable reply leaves
""; the next prompt has the next true state. Source: the individual-state accuracy of Execution Tuning (arXiv
2503.05703, table 1).

A strategy with one prompt per step names its layout and the body of the prompt:

    LOOP = Stepwise("line-1", body)
    opening, run, estimate, refusal = LOOP.opening, LOOP.run, LOOP.estimate, LOOP.refusal
"""

from __future__ import annotations

import asyncio
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from deskcheck.records import (
    OUT_OF_STEPS,
    Answer,
    Completion,
    Granularity,
    Message,
    NoAnswer,
    Program,
    Prompt,
    Rollout,
    Task,
    Trace,
)
from deskcheck.states.jumps import read_landing
from deskcheck.states.parse import NO_LITERAL, outcome, read_outcome, read_state, read_step
from deskcheck.states.steps import call_body, first_state, head, steps
from deskcheck.states.tree import StateTree, Step, apply_step
from deskcheck.turns import derived, worked_examples
from deskcheck.turns.error_injection import injected_states
from deskcheck.turns.finer import finer
from deskcheck.turns.settings import Ask, Settings

ReadStates = Callable[[list[str]], Iterator[StateTree]]
_FENCE = re.compile(r"```[a-z]*\n(.*?)\n?```", re.DOTALL)


def question(
    layout: str, task: Task, body: str, settings: Settings, *, max_tokens: int, code: str = ""
) -> Prompt:
    """Return the prompt of a body, after the head that all prompts of a program share, or after `code`."""
    code = code or head(layout, task.program)
    if not settings.shots:
        return Prompt([Message("system", code), Message("user", body)], max_tokens=max_tokens)
    messages = [
        Message("system", worked_examples.rules(layout)),
        *worked_examples.examples(layout, settings.shots),
    ]
    # Chat models write text before and after the layout.
    return Prompt([*messages, Message("user", code + body)], max_tokens=2 * max_tokens)


def opening(layout: str, task: Task, settings: Settings, *, max_tokens: int) -> Prompt:
    """Return the only prompt of a layout that answers with a whole run."""
    return question(layout, task, call_body(task.program), settings, max_tokens=max_tokens)


async def ask_once(prompt: Prompt, ask: Ask, task: Task, read: ReadStates | None = None) -> Rollout:
    """Ask one prompt and read the answer.

    `read` reads the lines before the last one as the model's states or steps; the answer to a question other
    than `output` comes from these.
    """
    completion = await ask(prompt)
    text = plain(completion.text)
    lines = text.split("\n")[:-1]
    ended = read_outcome(Completion(text, completion.finish_reason, n_tokens_out=completion.n_tokens_out))
    answered = ended
    if read is not None and task.kind != "output":
        try:
            answered = derived.derived(task, read(lines), ended)
        except ValueError as error:
            answered = NoAnswer("unparsable", str(error)) if isinstance(ended, Answer) else ended
    return Rollout(answered, [completion], lines)


def full_states(lines: list[str]) -> Iterator[StateTree]:
    """Yield one state per line. ValueError for a line that is no state."""
    return map(read_state, lines)


def changed_states(lines: list[str]) -> Iterator[StateTree]:
    """Yield the state after each step, with only its position: the first line is a state, the others steps.

    ValueError for a line that is no state or step, and for a step after the run has ended.
    """
    steps = (replace(read_step(line), changes=()) for line in lines[1:])
    return itertools.accumulate(steps, apply_step, initial=read_state(lines[0] if lines else ""))


def stepped_states(lines: list[str]) -> Iterator[StateTree]:
    """Yield the state after each step, with its changes. ValueError also for a change that cannot be made."""
    start = read_state(lines[0] if lines else "")
    return itertools.accumulate(map(read_step, lines[1:]), apply_step, initial=start)


def plain(text: str) -> str:
    """Return a chat model's reply without the fence around it; a trained model's text is not changed."""
    found = _FENCE.fullmatch(text.strip())
    return found.group(1) if found else text.strip("\n")


# A correct run shows a state more than once only if C code calls back (a sort key), which no greedy model can
# execute from its states alone. A belief that returns to its own states would otherwise use the whole budget.
MAX_VISITS = 50
RETRIES = 3
"""Times that a prompt is asked again, with on_error=reask."""
VOTES = 5
"""Replies that are drawn, with on_error=vote."""
TEMPERATURE = 0.7
"""Temperature of repeated prompts and votes, unless `--temperature` is above 0: greedy replies would be
equal."""
Read = Callable[[StateTree, str], "StateTree | Answer | NoAnswer"]


class Chain:
    """One step loop over one task."""

    def __init__(
        self, ask: Ask, settings: Settings, start: StateTree, injected: Iterable[StateTree] = ()
    ) -> None:
        self.ask = ask
        self.settings = settings
        self.state = start
        self.completions: list[Completion] = []
        self.states: list[str] = []
        self._seen = Counter([str(start)])
        self._at = {str(start): 0}
        """State text -> number of the step that last led to it."""
        self._detour = 0
        """Number of the last state that did not follow by a greedy reply alone."""
        for state in injected:  # put in the model's place (`error_injection.py`)
            self.mark_detour()
            self.land(state)

    async def run(self, question: Callable[[StateTree], Prompt], read: Read) -> Rollout:
        """Ask until the model's run ends, or the loop must stop."""
        while True:
            if self.is_spent:
                return self.end(NoAnswer("budget", f"not over after {self.settings.max_steps} steps"))
            prompt = question(self.state)
            answer = self.take(read, await self.asked(prompt))
            if self.settings.on_error == "reask":
                answer = await self._reasked(prompt, read, answer)
            elif self.settings.on_error == "vote" and _is_unread(answer):
                answer = await self._voted(prompt, read)
            if answer is not None:
                return self.end(answer)

    async def _reasked(
        self, prompt: Prompt, read: Read, answer: Answer | NoAnswer | None
    ) -> Answer | NoAnswer | None:
        """Ask the same prompt again while the reply is unreadable and budget is left."""
        for _ in range(RETRIES):
            if not _is_unread(answer) or self.is_spent:
                return answer
            self.mark_detour()
            answer = self.take(read, await self.asked(replace(prompt, temperature=TEMPERATURE)))
        return answer

    async def _voted(self, prompt: Prompt, read: Read) -> Answer | NoAnswer | None:
        """Continue from the most frequent of several drawn replies; of equally frequent ones, the first.

        If none of them is readable, the last one counts.
        """
        left = self.settings.max_steps - len(self.completions)
        drawn = [await self.ask(replace(prompt, temperature=TEMPERATURE)) for _ in range(min(VOTES, left))]
        if not drawn:
            return NoAnswer("budget", f"not over after {self.settings.max_steps} steps")
        number = len(self.states) + 1
        found = [readable(read, self.state, completion, number) for completion in drawn]
        votes = Counter(str(one) for one in found if not isinstance(one, NoAnswer))
        winner = votes.most_common(1)[0][0] if votes else str(found[-1])
        at = next(n for n, one in enumerate(found) if str(one) == winner)
        # The completion that counts comes last, as in all rollouts.
        self.completions += [*drawn[:at], *drawn[at + 1 :], drawn[at]]
        self.mark_detour()
        return self.land(found[at])

    @property
    def is_spent(self) -> bool:
        """Whether the budget of prompts is used up."""
        return len(self.completions) >= self.settings.max_steps

    async def asked(self, prompt: Prompt) -> Completion:
        """Ask one prompt and store its completion."""
        completion = await self.ask(prompt)
        self.completions.append(completion)
        return completion

    def take(self, read: Read, completion: Completion) -> Answer | NoAnswer | None:
        """Continue from a reply; return the answer that ends the loop, or None."""
        return self.land(readable(read, self.state, completion, len(self.states) + 1))

    def land(self, end: StateTree | Answer | NoAnswer) -> Answer | NoAnswer | None:
        """Continue from a state; return the answer that ends the loop, or None."""
        if not isinstance(end, StateTree):
            return end
        self.state = end
        text = str(end)
        self.states.append(text)
        self._seen[text] += 1
        before, self._at[text] = self._at.get(text, -1), len(self.states)
        if before >= self._detour and getattr(self.ask, "is_greedy", False):
            place = f"step {len(self.states)} leads to the state of step {before}, so the run would never end"
            return NoAnswer("endless", f"{place}: {text[:80]}")
        if self._seen[text] <= MAX_VISITS:
            return None
        place = f"step {len(self.states)} is in one state for the {self._seen[text]}th time"
        return NoAnswer("budget", f"{place}: {text[:80]}")

    def mark_detour(self) -> None:
        """Note that the next state need not follow again: its reply is drawn, or it is an injected state."""
        self._detour = len(self.states) + 1

    def end(self, answer: Answer | NoAnswer) -> Rollout:
        """Return the rollout of the loop, with this answer."""
        return Rollout(answer, self.completions, self.states)


def _is_unread(answer: Answer | NoAnswer | None) -> bool:
    """Return whether the reply could not be used and the run could still continue."""
    if not isinstance(answer, NoAnswer) or answer.reason in OUT_OF_STEPS:
        return False
    return not answer.detail.startswith(NO_LITERAL)


def nothing_to_check(kind: str, settings: Settings) -> str:
    """Return why a loop of single steps refuses on_error=check: only jumps can be checked."""
    if settings.on_error != "check":
        return ""
    return "it has nothing to check a step against; use on_error=reask, or line-n"


def readable(
    read: Read, state: StateTree, completion: Completion, number: int
) -> StateTree | Answer | NoAnswer:
    """Return the state or answer in a reply; NoAnswer, with the number of the step, if it is unreadable."""
    if completion.finish_reason == "length":
        return NoAnswer("truncated", f"step {number} was cut after {completion.n_tokens_out} tokens")
    try:
        return read(state, completion.text)
    except ValueError as error:
        return NoAnswer("unparsable", f"step {number}: {error}")


def stepped(state: StateTree, text: str) -> StateTree | Answer | NoAnswer:
    """Read a reply that is one step: the state after it, or the answer if it ends the run."""
    return after_step(state, read_step(plain(text)))


def after_step(state: StateTree, step: Step) -> StateTree | Answer | NoAnswer:
    """Return the state after a step, or the answer if it ends the run.

    ValueError if the step does not fit.
    """
    after = apply_step(state, step)
    return after if after.frames else outcome(step)


def estimated(task: Task, settings: Settings, first: int, *, per_line: float) -> list[int]:
    """Estimate the tokens of each prompt of a loop, with `per_line` prompts for every line of the true run.

    `first`: tokens of the first prompt, which every prompt is taken to have.
    """
    n = max(1, round(task.truth.n_steps * per_line))
    return [first] * min(n, settings.max_steps)


def landed(text: str) -> StateTree | Answer | NoAnswer:
    """Read a reply that is a state in full, or the step that ends the run."""
    found = read_landing(text)
    return outcome(found) if isinstance(found, Step) else found


async def fed(
    run: list[StateTree],
    ask: Ask,
    settings: Settings,
    question: Callable[[StateTree], Prompt],
    read: Read,
) -> Rollout:
    """Ask one prompt for each true state of `run`, at most `max_steps`."""
    completions: list[Completion] = []
    chain: list[str] = []
    ended: Answer | NoAnswer = NoAnswer("budget", f"the run has more than {settings.max_steps} steps")
    for number, before in enumerate(run[: settings.max_steps], 1):
        completions.append(await ask(question(before)))
        result = readable(read, before, completions[-1], number)
        if number == len(run):
            ended = NoAnswer("unparsable", f"step {number}: it ends the run, and the reply goes on")
            ended = result if not isinstance(result, StateTree) else ended
        elif isinstance(result, StateTree):
            chain.append(str(result))
        else:
            chain.append("" if isinstance(result, NoAnswer) else plain(completions[-1].text))
    return Rollout(ended, completions, chain)


class Stepwise(Struct, frozen=True):
    """One step-loop strategy, by its differences from the others."""

    layout: str
    body: Callable[[StateTree, Program], str]
    """Function that writes the body of the prompt about a state."""
    read: Read = stepped
    """Function that reads a reply: the state after it, or the answer if it ends the run."""
    max_tokens: int = 512
    """Token budget of one reply."""
    per_line: float = 1.0
    """Approximate number of prompts per executed line."""
    granularity: Granularity = Granularity.LINE
    """Granularity of the true steps that `inject_states` counts."""
    head: Callable[[str, Program], str] = head
    """Function that writes the head, the first part of every prompt about a program."""

    def opening(self, task: Task, settings: Settings) -> Prompt:
        """Return the prompt about the state of the call: the frame of the entry with its arguments."""
        return self._question(task, first_state(task.truth), settings)

    async def run(self, task: Task, ask: Ask, settings: Settings) -> Rollout:
        """Ask one prompt per step, until the run ends in the model's belief."""

        def asked(state: StateTree) -> Prompt:
            return self._question(task, state, settings)

        if settings.teacher_forcing == "true":
            run = [before for before, _, _ in steps(await self._fine(task), granularity=self.granularity)]
            return await fed(run, ask, settings, asked, self.read)
        start = first_state(task.truth)
        chain = Chain(ask, settings, start, await self._injected(task, settings))
        done = await chain.run(asked, self.read)
        return done if task.kind == "output" else derived.from_chain(task, start, done)

    def estimate(self, task: Task, settings: Settings, first: int) -> list[int]:
        """Estimate the tokens of every prompt from those of the first one."""
        return estimated(task, settings, first, per_line=self.per_line)

    def refusal(self, kind: str, settings: Settings) -> str:
        """Return why the strategy cannot ask a kind with these settings; "" if it can."""
        if settings.teacher_forcing == "false" or settings.on_error == "check":
            return nothing_to_check(kind, settings)
        if settings.inject_states != "0":
            return "teacher_forcing=true starts every step from the true state, so none can be injected"
        return "teacher_forcing=true asks single steps of the true run" if kind != "output" else ""

    async def _injected(self, task: Task, settings: Settings) -> list[StateTree]:
        """Return the states after the first true steps, which are traced again if finer than lines."""
        if settings.inject_states == "0":
            return []
        truth = await self._fine(task)
        return injected_states(task, settings.inject_states, truth=truth, granularity=self.granularity)

    async def _fine(self, task: Task) -> Trace:
        """Return the true run in steps of this layout, traced again if they are finer than lines."""
        if self.granularity is Granularity.LINE:
            return task.truth
        return await asyncio.to_thread(finer, task, self.granularity)

    def _question(self, task: Task, state: StateTree, settings: Settings) -> Prompt:
        code = self.head(self.layout, task.program)
        body = self.body(state, task.program)
        return question(self.layout, task, body, settings, max_tokens=self.max_tokens, code=code)
