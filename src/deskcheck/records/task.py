"""Evaluation: what is asked about a run, what a model says, and the verdict on it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from deskcheck.records.trace import Program, Trace


class Item(Struct, frozen=True):
    """One row of a benchmark before its truth has been executed: what a benchmark file yields."""

    id: str
    """Unique within its benchmark."""
    program: Program
    recorded: str
    """The answer that the source states, as literal text; "" where it states none."""
    cluster: str
    """Items of one program share it."""
    tags: dict[str, str] = field(default_factory=dict)
    statement: str = ""
    """Description of the program in words, to be shown above it."""
    line: int = 0
    """Line that the source asks about (`reval`); 0 = the question chooses."""
    variable: str = ""
    """Which variable the source asks for; "" = the kind of task chooses."""


class Skipped(Struct, frozen=True):
    """One row or case of a benchmark's file that is no item; it is counted."""

    id: str
    reason: str
    """Short and countable: "no call == literal"."""


class Probe(Struct, frozen=True):
    """One question that a kind of task puts to one run, with its answer."""

    at: str
    """Place in the run, for the task's id: "17"; "" if a run has only one such question."""
    expected: str
    """The true answer as literal text or "raises KeyError"."""
    words: dict[str, str] = field(default_factory=dict)
    """Texts that fill the blanks of the question."""


class Task(Struct, frozen=True):
    """One question with a known answer."""

    id: str
    """Unique within its benchmark: "sample_0"."""
    benchmark: str
    kind: str
    """Question, by its name in `questions/`: "output", "input", "next-line"."""
    program: Program
    expected: str
    """The true answer as literal text or "raises KeyError"; re-executed here, never copied from the file."""
    truth: Trace
    """The run that `expected` came from."""
    cluster: str
    """Tasks of one program share it; intervals are clustered by it."""
    tags: dict[str, str] = field(default_factory=dict)
    """Family, difficulty, complexity..: what breakdowns group by."""
    question: dict[str, str] = field(default_factory=dict)
    """Language ("en", "zh") -> what is asked, in words."""
    form: dict[str, str] = field(default_factory=dict)
    """Language -> what is to be written as the answer: "the returned value as one exact Python literal"."""
    statement: str = ""
    """Description of the program, to be shown above it; "" = none is shown."""
    grading: Literal["value", "lines", "marks", "executed", "witness"] = "value"
    """Rule by which an answer is compared; `grading/verdict.py` lists them."""
    numbered: bool = False
    """The question names lines: the program is to be shown with their numbers."""

    @property
    def call(self) -> str:
        """The call as the question shows it: "f(3)", and "f(??)" where the arguments are asked for."""
        return f"{self.program.entry}(??)" if self.kind == "input" else self.program.call


class Message(Struct, frozen=True):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    text: str


class Prompt(Struct, frozen=True):
    """Messages to a model. A system message that many prompts share is worth caching."""

    messages: list[Message]
    max_tokens: int
    """Budget of the completion."""
    stop: list[str] = field(default_factory=list)
    """The answer ends before the first of these; looked for after the thinking, never inside it."""
    temperature: float = -1.0
    """-1 = what the run says."""
    logprobs: bool = False
    """Ask for the log-probability of the answer."""
    schema: str = ""
    """JSON Schema of the answer, for providers that can hold a model to one; "" = free text."""


class Completion(Struct, frozen=True):
    """Raw model text and how it ended."""

    text: str
    finish_reason: str
    """"stop", "length", "content_filter", "error", "unknown"."""
    n_tokens_in: int = -1
    n_tokens_out: int = -1
    """-1 = not reported. Hidden reasoning is included where the provider counts it."""
    latency_s: float = -1.0
    n_tokens_hidden: int = -1
    """The part of `n_tokens_out` that was reasoning out of sight; -1 = not reported."""
    logprob: float = 1.0
    """Natural logarithm of the answer's probability, summed over its tokens; 1 = not reported."""


class Answer(Struct, frozen=True, tag="answer"):
    """The parsed value, as the literal text that stood in the completion."""

    text: str


class Executed(Struct, frozen=True, tag="executed"):
    """An answer that is a piece of program, and what running it gave."""

    text: str
    """The answer: argument text."""
    outcome: str
    """Outcome of the call, as literal text or "raises KeyError"; other words cannot be compared."""


MISSING = frozenset({"error", "not_asked"})
"""Reasons that say nothing about a model: such an answer is in no rate, difference, effect or horizon."""


class NoAnswer(Struct, frozen=True, tag="no answer"):
    """Reason why a rollout has no answer."""

    reason: Literal["truncated", "unparsable", "refused", "error", "budget", "not_asked"]
    """"budget": the model did not end in its steps; "not_asked": money, server or file ended before it."""
    detail: str = ""


class Attempt(Struct, frozen=True):
    """One rollout: a model's replies to one task, and the answer that was read."""

    answer: Answer | NoAnswer
    completions: list[Completion]
    """All calls in order; a step loop has one per step."""
    chain: list[str] = field(default_factory=list)
    """Step loops: the model's belief after each step, as state text; empty for single questions."""
    apart: int = -1
    """Jumps that disagreed with single steps (on_error=check); -1 = not checked."""


class BeliefStep(Struct, frozen=True):
    """One step of an execution by a model beside the true one; either side may end before the other."""

    number: int
    """0 = the state of the call, which is given."""
    line: int
    """Line that the true run is at, 0 after its end."""
    true: str
    """True state text, or the true last step; "" after the end."""
    believed: str
    """The model's state text or last step; "" after the end."""
    apart: str
    """"" while equal; else the parts that differ: "control flow", "variables", "iterators", "stack"."""


class Score(Struct, frozen=True):
    """The verdict on one sample of one task."""

    task_id: str
    sample: int
    """0-based; a task is asked `n_samples` times."""
    verdict: Literal["right", "wrong", "no answer"]
    reason: str
    """NoAnswer.reason for "no answer", else ""."""
    policy: str
    """Name of the comparison that decided: "strict", "lenient", "published"."""
    answer: str
    expected: str

    @property
    def is_missing(self) -> bool:
        """The task was never asked, or asking it failed: no evidence about the model."""
        return self.verdict == "no answer" and self.reason in MISSING


class RunInfo(Struct, frozen=True):
    """Facts that a run depended on; stored beside the results, never in a shard."""

    command: str
    config: dict[str, str]
    commit: str
    versions: dict[str, str]
    seed: int
    sandbox: str
    """Level: "full", "kernel", "seccomp", "limits"."""
    started_unix_s: float
