"""Records of evaluation: the question about a run, the model's answer, and the verdict."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from deskcheck.records.trace import Program, Trace


class TaskDraft(Struct, frozen=True):
    """One entry of a benchmark file, before its program is run and its questions are known."""

    id: str
    """Unique within its benchmark."""
    program: Program
    recorded: str
    """Answer recorded in the benchmark file, as literal text; "" if there is none."""
    cluster: str
    """Name that drafts of one program share."""
    tags: dict[str, str] = field(default_factory=dict)
    statement: str = ""
    """Description in words, shown above the program; "" = none."""
    line: int = 0
    """Line that the benchmark asks about (`reval`); 0 = the question chooses."""
    variable: str = ""
    """Variable that the benchmark asks about; "" = the question chooses."""


class Skipped(Struct, frozen=True):
    """One row or case of a benchmark's file, or one function of a source, that is left out and counted."""

    id: str
    reason: str
    """Short text by which cases are counted: "the answer is no plain value"."""


class RunQuestion(Struct, frozen=True):
    """One question of one kind about one run, with its answer."""

    at: str
    """Place in the run, for the task's id: "17"; "" if a run has only one such question."""
    expected: str
    """True answer as literal text or "raises KeyError"."""
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
    """True answer as literal text or "raises KeyError"; executed, or recorded if no tracer here runs it."""
    truth: Trace
    """Trace from which `expected` was read; empty for a recorded answer (tag `truth`)."""
    cluster: str
    """Name that tasks of one program share; intervals are clustered by it."""
    tags: dict[str, str] = field(default_factory=dict)
    """Properties by which breakdowns group: family, difficulty, complexity, .."""
    question: dict[str, str] = field(default_factory=dict)
    """Statement language ("en", "zh") -> text of the question."""
    form: dict[str, str] = field(default_factory=dict)
    """Statement language -> form of the answer in words: "the returned value as one exact Python literal"."""
    statement: str = ""
    """Description in words, shown above the program; "" = none."""
    grading: Literal["value", "lines", "marks", "executed", "witness"] = "value"
    """Rule by which an answer is compared; `grading/verdict.py` lists them."""
    numbered: bool = False
    """Whether the program is shown with line numbers, because the question names lines."""

    @property
    def call(self) -> str:
        """Call as the question shows it: "f(3)", or "f(??)" if the arguments are asked for."""
        return f"{self.program.entry}(??)" if self.kind == "input" else self.program.call


class Message(Struct, frozen=True):
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    text: str


class Prompt(Struct, frozen=True):
    """Messages to a model. Providers may cache a system message that many prompts share."""

    messages: list[Message]
    max_tokens: int
    """Budget of the completion in tokens."""
    stop: list[str] = field(default_factory=list)
    """Texts that end the answer; the answer stops before the first of them. Thinking is not searched."""
    temperature: float = -1.0
    """Sampling temperature; -1 = the temperature of the run."""
    logprobs: bool = False
    """Whether to ask for the log-probability of the answer."""
    schema: str = ""
    """JSON Schema of the answer, for providers that can enforce one; "" = free text."""


class Completion(Struct, frozen=True):
    """Raw text of a model, and why it ended."""

    text: str
    finish_reason: str
    """"stop", "length", "content_filter", "error", "unknown"."""
    n_tokens_in: int = -1
    """Tokens of the prompt; -1 = not reported."""
    n_tokens_out: int = -1
    """Tokens of the answer; -1 = not reported. Hidden reasoning is included if the provider counts it."""
    latency_s: float = -1.0
    """Seconds from request to reply; -1 = not measured."""
    n_tokens_hidden: int = -1
    """Tokens of hidden reasoning, a part of `n_tokens_out`; -1 = not reported."""
    logprob: float = 1.0
    """Natural logarithm of the answer's probability, summed over its tokens; 1 = not reported."""
    served: str = ""
    """Name of the model that answered, as its server reports it; "" for models that run here."""


class Answer(Struct, frozen=True, tag="answer"):
    """Value that was read from a completion, as its literal text."""

    text: str


class Executed(Struct, frozen=True, tag="executed"):
    """Answer that was run as part of a program, with the outcome of the run."""

    text: str
    """Text of the answer: arguments of the call."""
    outcome: str
    """Outcome of the call, as literal text or "raises KeyError"; other texts cannot be compared."""


MISSING = frozenset({"error", "not_asked"})
"""Reasons that are no evidence about a model; rollouts with such a reason count in no rate or horizon."""
OUT_OF_STEPS = frozenset({"budget", "endless"})
"""Reasons of a step loop that was stopped, though its last reply could be read."""


class NoAnswer(Struct, frozen=True, tag="no answer"):
    """Reason why a rollout has no answer."""

    reason: Literal["truncated", "unparsable", "refused", "error", "budget", "endless", "not_asked"]
    """"budget": the model used up its steps. "endless": it came back to an earlier state.

    "not_asked": before the task, the dollars were spent, the server failed or the file of answers ended.
    """
    detail: str = ""


class Rollout(Struct, frozen=True):
    """A model's replies to one task, and the answer that was read."""

    answer: Answer | NoAnswer
    completions: list[Completion]
    """Completions of all turns in order; a step loop has one per step."""
    chain: list[str] = field(default_factory=list)
    """In step loops, the model's belief after each step, as state text; empty for single questions."""
    apart: int = -1
    """Replies for several steps at once that differ from the same steps asked one by one (on_error=check).

    -1 = not checked.
    """


class BeliefStep(Struct, frozen=True):
    """One step of a model's execution, compared with the true step; either run may end before the other."""

    number: int
    """Number of the step; 0 = the state of the call, which is given."""
    line: int
    """Line of the true run; 0 after its end."""
    true: str
    """Text of the true state; in the last row, of the step that ends the run ("<- 7"); "" after the end."""
    believed: str
    """The same of the model's run."""
    apart: str
    """Parts that differ in the two states: "control flow", "variables", "iterators", "stack"; "" = none."""


class Score(Struct, frozen=True):
    """Verdict on one sample of one task, as `deskcheck.grade` returns it.

    Attributes:

    - `task_id`: name of the task; "" from `deskcheck.grade`.
    - `sample`: 0-based number of the sample; a task is asked `n_samples` times.
    - `verdict`: "right", "wrong" or "no answer".
    - `reason`: why there is no answer; "" if there is one. "truncated": the token budget ended the reply.
      "unparsable": no value was found in it. "refused": the model declined. "budget": it used up its steps.
      "endless": it came back to an earlier state. "error": the request failed. "not_asked": before the task,
      the dollars were spent, the server failed or the file of answers ended.
    - `policy`: rule of the comparison: "strict", "lenient", "lenient:1e-9" or "published".
    - `answer`: the value that was read, as text; if none was read, the start of the reply.
    - `expected`: the true outcome as text.

    >>> score = deskcheck.grade("[ANSWER]7[/ANSWER]", expected="8")
    >>> score.verdict, score.answer, score.expected
    ('wrong', '7', '8')
    """

    task_id: str
    sample: int
    verdict: Literal["right", "wrong", "no answer"]
    reason: str
    policy: str
    answer: str
    expected: str

    @property
    def is_missing(self) -> bool:
        """Whether the task was never asked or asking it failed, which is no evidence about the model."""
        return self.verdict == "no answer" and self.reason in MISSING


class RunInfo(Struct, frozen=True):
    """Facts that a run depended on, stored with the results and never in a shard."""

    command: str
    config: dict[str, str]
    commit: str
    versions: dict[str, str]
    seed: int
    sandbox: str
    """Containment level: "full", "kernel", "seccomp" or "limits"."""
    started_unix_s: float
