"""All answers of the data folder, read and graded: what both pages are made of.

read_everything(folder, workers) -> Everything
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from msgspec import Struct

from deskcheck.report.breakdown import Answered
from stored_answers import graded, joined, re2
from stored_answers.graded import Run


class Everything(Struct, frozen=True):
    """The graded runs of all sources, a list of models' runs for each."""

    lcb: list[Run]
    lcb_input: list[Run]
    cruxeval: list[Run]
    """Outputs and inputs of CodeLlama-7B."""
    qwen: list[Run]
    """Outputs and inputs of Qwen2.5-Coder on CRUXEval."""
    exerscope: list[tuple[Run, Run]]
    """By the source's rule, by ours."""
    cruxeval_x: list[Run]
    page: list[Run]
    """LiveCodeBench's leaderboard: verdicts alone."""
    known: re2.Truths
    settings: list[re2.Setting]
    executed: re2.Executed
    joined: joined.Joined
    question_of: dict[str, str]

    @property
    def n_new(self) -> int:
        """Answers of models of 2025/26."""
        own = sum(len(answers) for one in self.settings for answers in one.answers.values())
        return own

    @property
    def n_answers(self) -> int:
        """Answers with a text; the leaderboard has none."""
        runs = [*self.lcb, *self.lcb_input, *self.cruxeval, *self.qwen, *self.cruxeval_x]
        return self.n_new + sum(run.n_answers for run in [*runs, *(one for one, _ in self.exerscope)])


def read_everything(folder: Path, workers: int) -> Everything:
    """`workers` sources at a time, each in a process of its own, which ends with its source."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        parts = {read: pool.submit(read, folder) for read in (_re2, _outputs, _inputs, _cruxeval, _exerscope)}
        re2_bench, outputs, inputs, cruxeval, exerscope = (parts[read].result() for read in parts)
    joint, question_of = joined.join(
        folder / "livecodebench-exec/problems.jsonl", folder / "leetcode/doocs-leetcode-python-index.jsonl"
    )
    known, settings, executed = re2_bench
    return Everything(
        lcb=outputs[0],
        lcb_input=inputs,
        cruxeval=cruxeval[0],
        exerscope=exerscope,
        cruxeval_x=cruxeval[1],
        qwen=cruxeval[2],
        page=outputs[1],
        known=known,
        settings=settings,
        executed=executed,
        joined=joint,
        question_of=question_of,
    )


def _re2(folder: Path) -> tuple[re2.Truths, list[re2.Setting], re2.Executed]:
    known = re2.truths(folder / "re2-bench")
    return known, list(re2.settings(folder / "re2-bench", known)), re2.executed(known)


def _outputs(folder: Path) -> tuple[list[Run], list[Run]]:
    tasks, runs = graded.livecodebench(folder / "livecodebench-exec")
    return runs, graded.leaderboard(folder / "livecodebench-site", tasks)


def _inputs(folder: Path) -> list[Run]:
    return graded.predicted_inputs(folder / "livecodebench-exec", 1)


def _cruxeval(folder: Path) -> tuple[list[Run], list[Run], list[Run]]:
    return (
        graded.cruxeval(folder / "cruxeval", 1),
        graded.cruxeval_x_runs(folder / "cruxeval-x"),
        graded.qwen(folder / "qwen2.5-coder", folder / "cruxeval/cruxeval.jsonl", 1),
    )


def _exerscope(folder: Path) -> list[tuple[Run, Run]]:
    return graded.exerscope(folder / "exerscope", folder / "cruxeval/cruxeval.jsonl")


def outputs_by_steps(found: Everything, settings: list[re2.Setting]) -> list[Answered]:
    """Outputs of RE2-Bench's programs that can be executed here, one sample a setting."""
    verdicts: dict[str, list[str]] = {}
    for setting in settings:
        for one in setting.answers["output"]:
            if one.id in found.executed.steps:
                verdicts.setdefault(one.id, []).append("right" if one.again else "wrong")
    return [_answered(identity, own, found.executed.steps[identity]) for identity, own in verdicts.items()]


def of_question(found: Everything, setting: re2.Setting, asked: str) -> list[Answered]:
    """One question of one setting by the source's rule; of loops and branches what can be right at all."""
    return [
        _answered(one.id, ["right" if one.again else "wrong"], 0)
        for one in setting.answers[asked]
        if (asked == "output" or (one.again is not None and found.known.answerable(asked, one.id)))
    ]


def recorded_inputs(setting: re2.Setting) -> list[Answered]:
    """Inputs as the source recorded them: they were executed in projects that are not here."""
    return [_answered(one.id, ["right" if one.theirs else "wrong"], 0) for one in setting.answers["input"]]


def _answered(identity: str, verdicts: list[str], steps: int) -> Answered:
    return Answered(identity, identity, max(1, steps), verdicts, "0", [], None)
