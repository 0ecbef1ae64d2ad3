"""Input prediction before and after tuning on execution: does learning forward help, or harm, backward?

    [input]
    @1 def f(n):
    @2     return n * 2
    gives <- 8
    -> f(4)

No layout asks for arguments, so a model tuned on one cannot be asked as it is. Instead the weights before and
those at the end of every run get the same brief training on such questions (same programs, order, rate, and
INPUT_SHARE of a run's compute), and what is compared is how often the arguments that they then write give the
outcome: any that do are right, so they are run, in the sandbox, and only if they are literals.

Source: Execution Tuning (arXiv 2503.05703), section 5, where forward tuning made CRUXEval's input prediction
worse; there the mix holds both kinds.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from deskcheck.grading.verdict import literal_arguments
from deskcheck.models.tiny import Request
from deskcheck.records import Completion, Example, Granularity, Limits, Program, Raised, Returned, Trace
from deskcheck.states.steps import head, run_of
from deskcheck.tracing.collect import trace_programs
from deskcheck.tracing.program import make_program
from deskcheck.training.data import split_prompt
from deskcheck.training.export import read_weights
from deskcheck.training.scores.long_chains import load_checkpoint
from deskcheck.training.stream import Counted, PartPlan, Say
from layout_study.plan import ONE_CORE, PLAIN, Comparison, Machine, preset_of, rows_for
from layout_study.programs import Asked, TrainingPrograms, counted, scored_on
from layout_study.scores import HeldOut, ProgramScore

INPUT = "input"
INPUT_SHARE = 0.1
MAX_TOKENS = 64
LIMITS = Limits(max_steps=1_000, time_s=5.0)


class InputScores(Struct, frozen=True):
    """One set of weights after the brief training on inputs."""

    name: str
    """Layout that it was tuned on before, or "before tuning"."""
    seed: int
    programs: list[ProgramScore]


class Start(NamedTuple):
    """Weights that get the brief training."""

    name: str
    """Layout that they were tuned on, or BEFORE."""
    seed: int
    """-1 = before any run."""
    weights: str
    """Folder, "tiny", or "" = random."""


BEFORE = "before tuning"


def question(program: Program, trace: Trace) -> Example:
    """The outcome in, the call out."""
    prompt = f"{head(INPUT, program)}gives {run_of(trace)[-1][1]}\n"
    return Example(program.id, INPUT, prompt, program.call, 0, trace.n_steps)


class InputExamples:
    """`MakeExamples` of the brief training: the training programs of the comparison, asked backwards."""

    def __init__(self, asked: Asked) -> None:
        self.programs = TrainingPrograms(asked)

    def __call__(self, plan: PartPlan) -> tuple[Iterable[Example], Callable[[], Counted]]:
        counts: Counter[str] = Counter()
        fit = self.programs.of_part(plan, Granularity.LINE, counts)
        return (question(program, trace) for _, program, trace in fit), lambda: counted(counts)


def ask_inputs(
    comparison: Comparison,
    starts: Sequence[Start],
    out: Path,
    *,
    until: float = math.inf,
    machine: Machine = ONE_CORE,
    say: Say = print,
) -> list[InputScores]:
    """The brief training and its questions for all weights that had none yet, until the clock says so."""
    folder = out / "inputs"
    folder.mkdir(exist_ok=True)
    for start in starts:
        if time.monotonic() >= until or _file_of(start, out).is_file():
            continue
        programs = _trained(comparison, start, out, machine, say)
        found = InputScores(start.name, start.seed, programs)
        _file_of(start, out).write_bytes(msgspec.json.encode(found))
        say(f"inputs, {start.name}: {sum(one.right for one in programs)} of {len(programs)} programs")
    return input_answers(starts, out)


def input_answers(starts: Sequence[Start], out: Path) -> list[InputScores]:
    """What is there."""
    paths = [_file_of(start, out) for start in starts]
    return [msgspec.json.decode(path.read_bytes(), type=InputScores) for path in paths if path.is_file()]


def _file_of(start: Start, out: Path) -> Path:
    return out / "inputs" / f"{start.name.replace(' ', '-')}-seed-{start.seed}.json"


def _trained(
    comparison: Comparison, start: Start, out: Path, machine: Machine, say: Say
) -> list[ProgramScore]:
    """Train on questions for inputs from these weights, and ask."""
    from deskcheck.training import trainer
    from deskcheck.training.network import save

    seed = comparison.seeds[0] if start.seed < 0 else start.seed
    wide = PLAIN if start.name.endswith(PLAIN) else ""
    rows, _ = rows_for(
        comparison,
        INPUT + wide,
        seed,
        out,
        workers=machine.workers,
        say=say,
        make_examples=InputExamples(comparison),
        share=INPUT_SHARE,
    )
    done = trainer.run(
        preset_of(comparison, INPUT + wide, comparison.rates[0]),
        rows,
        out / "inputs",
        seed=seed,
        weights=read_weights(start.weights) if start.weights else None,
        threads=machine.threads,
        device=machine.device,
        compiles=False,
        save_steps=10**9,
    )
    if done.interrupted:
        raise KeyboardInterrupt
    with tempfile.TemporaryDirectory() as folder:
        save(done.model, Path(folder) / "checkpoint")
        model = load_checkpoint(f"{folder}/checkpoint", device=machine.device)
        return input_scores(model, scored_on(comparison, Granularity.LINE), workers=machine.threads)


def input_scores(model: Any, held_out: Sequence[HeldOut], *, workers: int = 1) -> list[ProgramScore]:
    """Every program's question; the answers are run."""
    prompts = [split_prompt(question(one.program, one.trace).prompt) for one in held_out]
    answers: list[Completion] = model.generate([Request(*prompt, MAX_TOKENS) for prompt in prompts])
    texts = [
        literal_arguments(answer.text, one.program.entry) if answer.finish_reason == "stop" else None
        for one, answer in zip(held_out, answers, strict=True)
    ]
    return judged(held_out, texts, [answer.n_tokens_out for answer in answers], workers=workers)


def judged(
    held_out: Sequence[HeldOut], texts: Sequence[str | None], n_tokens: Sequence[int], *, workers: int = 1
) -> list[ProgramScore]:
    """Which arguments give the outcome; None = no arguments could be read."""
    tried = [
        make_program(one.program.source, one.program.entry, text, origin=one.program.origin)
        for one, text in zip(held_out, texts, strict=True)
        if text is not None
    ]
    ends = (_end(trace) for _, trace in trace_programs(tried, LIMITS, workers=workers))
    found = []
    for one, text, n in zip(held_out, texts, n_tokens, strict=True):
        right = text is not None and next(ends) == _end(one.trace)
        found.append(ProgramScore(one.form, one.program.id, right, text is not None, n))
    return found


def _end(trace: Trace) -> str:
    """How a run ends; "" where it has no end."""
    if not isinstance(trace.outcome, Returned | Raised) or not trace.n_steps:
        return ""
    return str(run_of(trace)[-1][1])


def commonest(
    held_out: Sequence[HeldOut], training: Sequence[HeldOut], *, workers: int = 1
) -> list[ProgramScore]:
    """Without a model: the commonest arguments of training programs with as many of them."""
    known: dict[int, Counter[str]] = {}
    for one in training:
        known.setdefault(_n_arguments(one), Counter())[one.program.arguments] += 1
    texts = [
        known[_n_arguments(one)].most_common(1)[0][0] if _n_arguments(one) in known else None
        for one in held_out
    ]
    return judged(held_out, texts, [0] * len(texts), workers=workers)


def _n_arguments(one: HeldOut) -> int:
    return len(run_of(one.trace)[0][0].frames[-1].entries)
