"""Run long executions by a model, many at the same time, and compare each step with the truth.

    model = models.tiny.load(folder)
    run_chains(model, [(program, trace), ..], layout="line-1", max_steps=20_000) -> [ChainScore, ..]

Every chain begins at the true state of the call and continues from the model's own states. A chain asks its
next question as soon as its answer arrives, so none waits for another. Of each chain, only the current state
is kept, with the hashes of all states that it reached. A chain that returns to an earlier state is ended, as
in `turns/chain.py` with a greedy model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from deskcheck import plugins
from deskcheck.models.tiny import Request, TinyModel
from deskcheck.records import Answer, Completion, NoAnswer, Program, Trace
from deskcheck.states.parse import outcome
from deskcheck.states.steps import first_state, head, steps
from deskcheck.states.tree import StateTree, Step
from deskcheck.turns.chain import readable, stepped

MAX_TOKENS = 512
"""Token limit of one step."""


class ChainScore(Struct, frozen=True):
    """Result of one chain, with its counts of steps."""

    program_id: str
    n_true: int
    """Steps of the true run."""
    n_right: int
    """Right steps before the first wrong one."""
    n_steps: int
    """Steps that the model took."""
    n_tokens: int
    """Tokens that the model wrote."""
    finished: bool
    """Whether the model ended the run with an answer."""
    right: bool
    """Whether that answer is the true outcome."""
    why: str
    """First wrong step, or reason of the end without an answer; "" = all steps are right."""


class _Chain:
    """One chain in progress, with the true run beside it."""

    def __init__(self, program: Program, trace: Trace, layout: str) -> None:
        self.program = program
        self.body: Callable[[StateTree, Program], str] = plugins.load("layout", layout).body
        self.read = getattr(plugins.load("strategy", layout), "read", stepped)
        self.code = head(layout, program)
        self.state: StateTree = first_state(trace)
        self._truth: Iterator[tuple[StateTree, Step, StateTree]] = steps(trace)
        self._last: Step | None = None
        self._seen = {hash(str(self.state))}
        self.n_true = 0
        self.n_right = 0
        self.n_steps = 0
        self.n_tokens = 0
        self.answer: Answer | NoAnswer | None = None
        self.wrong = ""

    def request(self, number: int) -> Request:
        """Return the question about the current state."""
        return Request(self.code, self.body(self.state, self.program), MAX_TOKENS, sequence=str(number))

    def take(self, completion: Completion, max_steps: int) -> None:
        """Read the model's answer, compare it with the truth, and move to its state."""
        self.n_tokens += completion.n_tokens_out
        found = readable(self.read, self.state, completion, self.n_steps + 1)
        self.n_steps += 1
        if not self.wrong:
            self._compare(found)
        if not isinstance(found, StateTree):
            self.answer = found
            return
        self.state = found
        mark = hash(str(found))
        if mark in self._seen:
            self.answer = NoAnswer("endless", f"step {self.n_steps} leads to a state of an earlier one")
        elif self.n_steps >= max_steps:
            self.answer = NoAnswer("budget", f"not over after {max_steps} steps")
        self._seen.add(mark)

    def _compare(self, landed: StateTree | Answer | NoAnswer) -> None:
        row = next(self._truth, None)
        if row is None:
            self.wrong = f"step {self.n_steps}: the run was over before"
            return
        self.n_true += 1
        _, self._last, after = row
        true = after if after.frames else outcome(self._last)
        if landed == true:
            self.n_right += 1
        else:
            self.wrong = f"step {self.n_steps}: {str(landed)[:120]}; true is {str(true)[:120]}"

    def score(self) -> ChainScore:
        """Return the result of the chain after its end."""
        for _, last, _ in self._truth:
            self._last = last
            self.n_true += 1
        finished = isinstance(self.answer, Answer)
        right = finished and self._last is not None and self.answer == outcome(self._last)
        why = self.wrong or (f"{self.answer}" if isinstance(self.answer, NoAnswer) else "")
        counts = (self.n_true, self.n_right, self.n_steps, self.n_tokens)
        return ChainScore(self.program.id, *counts, finished, right, why)


def run_chains(
    model: TinyModel,
    runs: Sequence[tuple[Program, Trace]],
    *,
    layout: str = "line-1",
    max_steps: int = 20_000,
    stop_when_wrong: bool = False,
    say: Callable[[str], None] | None = None,
) -> list[ChainScore]:
    """Execute all programs at the same time, in a layout with one question per step; scores keep their order.

    A chain continues after a wrong step to its own end, unless `stop_when_wrong`. `say` receives a line about
    each finished chain.
    """
    chains = [_Chain(program, trace, layout) for program, trace in runs]
    for number, chain in enumerate(chains):
        model.batch.submit(chain.request(number), number)
    n_left = len(chains)
    while n_left:
        for number, completion in model.batch.step():
            chain = chains[number]
            chain.take(completion, max_steps)
            if chain.answer is None and not (stop_when_wrong and chain.wrong):
                model.batch.submit(chain.request(number), number)
                continue
            n_left -= 1
            if say is not None:
                say(f"{chain.program.origin}: {chain.n_right:,} steps right. {chain.wrong}")
    return [chain.score() for chain in chains]
