"""One sample as the results hold it, and what a whole row took.

    as_sampled(task, attempt, verdict, ("line-1", strategy, knobs), price) -> Sampled

`run.py` writes it into `results.jsonl`; under `inspect eval` it goes into the log, from which `logs.py`
takes it.
"""

from __future__ import annotations

from typing import Any

from deskcheck.evaluation.divergence import divergence
from deskcheck.evaluation.judged import judged, parted
from deskcheck.evaluation.kept import question_hash
from deskcheck.evaluation.prices import Price, cost_usd
from deskcheck.evaluation.run_sizes import run_sizes
from deskcheck.grading.answers import USUAL, answers_of
from deskcheck.grading.extraction import level_name
from deskcheck.grading.verdict import score
from deskcheck.records import Attempt, Score, Task
from deskcheck.results import Sampled
from deskcheck.strategies import Knobs, Strategy, says

SUMS = ("tokens_in", "tokens_out", "tokens_hidden", "seconds", "cost_usd")


class Totals:
    """What a whole row took: sums over the answers that told, and how many did not (`unknown_..`)."""

    def __init__(self) -> None:
        self._calls, self._asked = 0, 0
        self._sums: dict[str, float] = dict.fromkeys(SUMS, 0)
        self._unknown = dict.fromkeys(SUMS, 0)

    def add(self, one: Sampled) -> Sampled:
        """Count one sample, and hand it on."""
        self._calls += one.n_calls
        self._asked += one.n_calls > 0
        for name in SUMS if one.n_calls else ():
            if (count := getattr(one, name)) < 0:
                self._unknown[name] += 1
            else:
                self._sums[name] = round(self._sums[name] + count, 6)
        return one

    @property
    def counts(self) -> dict[str, float]:
        """calls, answers, each sum (-1 where no answer told), and how many answers did not tell."""
        sums = {
            name: -1 if self._asked and self._unknown[name] == self._asked else value
            for name, value in self._sums.items()
        }
        silent = {f"unknown_{name}": count for name, count in self._unknown.items() if count}
        return {"calls": self._calls, "answers": self._asked, **sums, **silent}


def as_sampled(
    task: Task, attempt: Attempt, verdict: Score, asking: tuple[str, Strategy, Knobs], price: Price | None
) -> Sampled:
    """One sample with everything that a reader of results needs; `asking`: the strategy and its knobs."""
    name, strategy, knobs = asking
    last = attempt.completions[-1] if attempt.completions else None
    prompt = strategy.opening(task, knobs)
    sizes = run_sizes(task.truth)
    return Sampled(
        task=task.id,
        sample=verdict.sample,
        cluster=task.cluster,
        tags=task.tags,
        n_steps=task.truth.n_steps,
        source=task.program.source,
        call=task.program.call,
        prompt=[[message.role, message.text] for message in prompt.messages],
        text=last.text if last else "",
        chain=attempt.chain,
        verdict=verdict.verdict,
        reason=verdict.reason,
        answer=verdict.answer,
        expected=verdict.expected,
        policy=verdict.policy,
        finish_reason=last.finish_reason if last else "unknown",
        n_calls=len(attempt.completions),
        apart=attempt.apart,
        prompt_hash=question_hash(task, prompt),
        call_depth=sizes.call_depth,
        state_size=sizes.state_size,
        **_read_at_levels(task, attempt, verdict),
        **_parting(task, attempt, name, knobs),
        **spent(attempt, price),
    )


def _read_at_levels(task: Task, attempt: Attempt, verdict: Score) -> dict[str, Any]:
    """The verdict at every extraction level, where the answer was read from the last reply, not run."""
    if not attempt.completions or attempt.chain or task.grading == "executed":
        return {}
    found = answers_of(task, attempt.completions[-1])
    if found[USUAL] != attempt.answer:  # a layout's own reader, a vote, a step loop
        return {}
    verdicts = {level: score(task, answer, policy=verdict.policy).verdict for level, answer in found.items()}
    return {"extraction": level_name(USUAL), "levels": verdicts}


def _parting(task: Task, attempt: Attempt, name: str, knobs: Knobs) -> dict[str, Any]:
    facts: dict[str, Any] = {"steps": judged(task, attempt, strategy=name, knobs=knobs)}
    # Fed with true states every step begins anew: there is no first one from which the others follow.
    if says(name, "CHAIN") == "words":
        found = parted(task, attempt, knobs)
    else:
        # From a planted state a chain has parted before its first step.
        plain = knobs.feed == "own" and knobs.planted == "0"
        found = divergence(task, attempt, strategy=name) if plain else None
    if found is not None:
        facts |= {"together": found.together, "part": found.part, "cause": found.cause}
    return facts


def spent(done: Attempt, price: Price | None) -> dict[str, Any]:
    """Tokens, seconds and dollars of one attempt; -1 where one of its calls did not tell."""
    calls = done.completions
    return {
        "tokens_in": known_sum([one.n_tokens_in for one in calls]),
        "tokens_out": known_sum([one.n_tokens_out for one in calls]),
        "tokens_hidden": known_sum([one.n_tokens_hidden for one in calls]),
        "seconds": round(known_sum([one.latency_s for one in calls]), 3),
        "cost_usd": round(known_sum([cost_usd(one, price) for one in calls]), 8),
    }


def known_sum(counts: list[Any]) -> Any:
    """The sum; -1 (unknown) as soon as one is unknown."""
    return -1 if not counts or min(counts) < 0 else sum(counts)
