"""Run step loops in which one answer jumps over several steps, and choose the length of each jump.

    await jumped(ask, settings, question, start=state, run=true_steps) -> Rollout

The setting `skip` says how the length is chosen:

fixed    skip=4: every prompt asks for the state 4 steps later; a jump over the end of the run gives the
         answer. With on_error=check the model also makes every jump in single steps. If the two disagree, the
         single steps count, unless one of them cannot be read. `chain.py` describes on_error=reask.
likely   skip=likely: the longest jump is asked first. The first jump whose answer has a probability of at
         least `sure` counts, or else the shortest. A model without log-probabilities is refused.
search   skip=search: from every right state every length is tried, and the search continues from the true
         states, fewest prompts first. The result is an upper bound (the "+search" rows of Execution Tuning),
         marked as oracle.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from deskcheck.errors import UserError
from deskcheck.records import OUT_OF_STEPS, Answer, NoAnswer, Prompt, Rollout
from deskcheck.states.jumps import Run, landing
from deskcheck.states.parse import outcome
from deskcheck.states.tree import StateTree
from deskcheck.turns import derived
from deskcheck.turns.chain import Chain, landed, plain, readable
from deskcheck.turns.settings import Ask, Settings

LENGTHS = (10, 4, 2, 1)
"""Lengths that likely and search try, longest first (Execution Tuning draws jumps of 1 to 10)."""
Question = Callable[[StateTree, int], Prompt]


async def jumped(
    ask: Ask,
    settings: Settings,
    question: Question,
    *,
    start: StateTree,
    run: Callable[[], Run],
    injected: Sequence[StateTree] = (),
) -> Rollout:
    """Run the loop that `settings.skip` names; `run` returns the true steps and is only called for search.

    `question(state, length)` returns the prompt of a jump. `injected`: states put in the model's place.
    UserError if skip=likely asks a model that gives no log-probabilities.
    """
    if settings.skip == "search":
        return await _searched(ask, settings, question, run())
    chain = Chain(ask, settings, start, injected)
    if settings.skip == "likely":
        return await _likely(chain, question)
    if settings.on_error == "check":
        return await _checked(chain, question, int(settings.skip))
    return await chain.run(lambda state: question(state, int(settings.skip)), read)


def jumps_refusal(kind: str, settings: Settings) -> str:
    """Return why a loop that jumps cannot ask with these settings; "" if it can."""
    if settings.skip != "1" and kind not in derived.ENDS:
        return f"with skip={settings.skip} it writes only some of the states; use -S skip=1, which writes all"
    if settings.skip == "search" and settings.inject_states != "0":
        return f"inject_states={settings.inject_states} does not go with skip=search, which takes true states"
    if settings.on_error != "stop" and not settings.skip.isdigit():
        return f"on_error={settings.on_error} goes with a fixed skip (-S skip=4), not skip={settings.skip}"
    return ""


def read(state: StateTree, text: str) -> StateTree | Answer | NoAnswer:
    """Read a reply: a state in full, or the end of the run."""
    return landed(plain(text))


async def _likely(chain: Chain, question: Question) -> Rollout:
    """Ask jumps, the longest first; continue from the first one that is sure enough, else from the last."""
    while True:
        for length in LENGTHS:
            if chain.is_spent:
                return chain.end(NoAnswer("budget", f"not over after {chain.settings.max_steps} questions"))
            completion = await chain.asked(replace(question(chain.state, length), logprobs=True))
            if completion.logprob > 0:
                raise UserError(
                    "skip=likely needs the log-probabilities of answers, and this model gives none; "
                    "use a fixed skip (-S skip=4)"
                )
            sure = math.exp(completion.logprob) >= chain.settings.sure
            landed = readable(read, chain.state, completion, len(chain.states) + 1)
            if length == LENGTHS[-1] or (sure and not isinstance(landed, NoAnswer)):
                break
        answer = chain.take(read, completion)
        if answer is not None:
            return chain.end(answer)


async def _checked(chain: Chain, question: Question, length: int) -> Rollout:
    """Make each jump at once and in single steps; `Rollout.chain` has the states of the single steps."""
    n_apart = 0
    while True:
        start = chain.state
        if chain.is_spent:
            ended = chain.end(NoAnswer("budget", f"not over after {chain.settings.max_steps} questions"))
            return replace(ended, apart=n_apart)
        jump = readable(read, start, await chain.asked(question(start, length)), len(chain.states) + 1)
        answer: Answer | NoAnswer | None = None
        for _ in range(length):
            if answer is None and not chain.is_spent:
                answer = chain.take(read, await chain.asked(question(chain.state, 1)))
        walked = chain.state if answer is None else answer
        n_apart += walked != jump and not chain.is_spent
        failed = isinstance(answer, NoAnswer) and answer.reason not in OUT_OF_STEPS
        if failed and not isinstance(jump, NoAnswer):
            chain.mark_detour()
            answer = chain.land(jump)  # the single steps failed, the jump did not
        if answer is not None:
            return replace(chain.end(answer), apart=n_apart)


async def _searched(ask: Ask, settings: Settings, question: Question, run: Run) -> Rollout:
    """Search breadth first over true states: a jump is one prompt, so the first path is a shortest one."""
    chain = Chain(ask, settings, run[0][0])
    waiting, reached = deque([0]), {0: -1}
    while waiting:
        at = waiting.popleft()
        for length in LENGTHS:
            if chain.is_spent:
                return chain.end(NoAnswer("budget", f"not over after {settings.max_steps} questions"))
            end = min(at + length, len(run))
            completion = await chain.asked(question(run[at][0], length))
            landed = readable(read, run[at][0], completion, at + 1)
            true = landing(run, at, length)
            if isinstance(true, StateTree):
                if landed == true and end not in reached:
                    reached[end] = at
                    waiting.append(end)
            elif landed == outcome(true):
                chain.states += [str(run[number][0]) for number in _way(reached, at)]
                return chain.end(landed) if isinstance(landed, Answer) else chain.end(NoAnswer("unparsable"))
    furthest = max(reached)
    return chain.end(NoAnswer("budget", f"no length is right from the state after step {furthest}"))


def _way(reached: dict[int, int], at: int) -> list[int]:
    way = []
    while at > 0:
        way.append(at)
        at = reached[at]
    return way[::-1]
