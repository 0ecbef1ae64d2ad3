"""The Python of the demo page, in the browser: the true run, the model's run, and their comparison.

    run = BrowserRun("def f(n): ..", "f(3)", max_steps=2000)    the true run, by the tracer in plain Python
    run.page()  -> data of the step viewer;  run.saved() -> bytes of a .deskcheck file
    await run.execute(reader, ask, tell, ..)      the shipped network executes the same call, line by line

"The network" is the shipped model, which runs in a worker of its own. `ask` sends a request as JSON to that
worker and returns its reply as JSON; `tell` gets each state of the network beside the true one, as JSON. The
step loop, the layout and the comparison are those of `deskcheck view --model tiny`. The browser, not this
module, contains a program, and the page ends the worker of a run that takes too long.
"""

from __future__ import annotations

import builtins
import io
import json
import tempfile
import zlib
from collections.abc import Awaitable, Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from msgspec.structs import replace

from deskcheck import plugins
from deskcheck.browser.frames import trace_in_browser
from deskcheck.browser.tokens import Tokens
from deskcheck.errors import DeskcheckError, UserError
from deskcheck.evaluation.execute import ON_ERROR, Execution, beside, chain_of
from deskcheck.evaluation.step_scores import parts_apart
from deskcheck.format.buffers import packed_of
from deskcheck.inference.network import Shape
from deskcheck.records import (
    Answer,
    Completion,
    Limits,
    NoAnswer,
    Prompt,
    Raised,
    Returned,
    Rollout,
    StepLimit,
    Task,
)
from deskcheck.states.steps import first_state, whole_run
from deskcheck.states.tree import StateTree
from deskcheck.strategies import Settings
from deskcheck.tracing.literal import is_plain, outcome_text
from deskcheck.tracing.packed import write_run
from deskcheck.tracing.program import make_program, split_call
from deskcheck.turns.chain import readable
from deskcheck.viewer.document import View, data_of
from deskcheck.viewer.execution import answer_text, run_of_steps

BOS_ID, EOS_ID = 1, 2
"""Tokens of the beginning of a prompt and of the end of a reply."""
_BUILTINS = dict(vars(builtins))  # before any program ran (`is_unchanged`)
MOST_TEXT = 20_000
"""Largest number of characters of a program and its call together."""
Wrote = Callable[[str], Awaitable[str]]
"""Type of `ask`: a request -> the worker's reply, both as JSON."""


class Reader:
    """The shipped model without its weights: its tokenizer, its shape, and its card's first step strategy."""

    def __init__(self, tokenizer: str, config: str, layouts: list[str]) -> None:
        import msgspec

        self.shape = msgspec.json.decode(config, type=Shape)
        self.tokens = Tokens(tokenizer, last_digit_first=self.shape.last_digit_first)
        self.strategy = chain_of(layouts)


class BrowserRun:
    """One program with its true run and, after `execute`, the network's run.

    UserError if program and call are too long, or if the call is none of this program.
    """

    def __init__(self, source: str, call: str, *, max_steps: int) -> None:
        if len(source) + len(call) > MOST_TEXT:
            raise UserError(
                f"the program has {len(source) + len(call):,} characters; at most {MOST_TEXT:,} fit here"
            )
        entry, arguments = split_call(call, source, file="this program")
        self.program = make_program(source, entry, arguments, origin="browser")
        printed = io.StringIO()
        with redirect_stdout(printed), redirect_stderr(printed):
            self.truth = trace_in_browser(self.program, Limits(max_steps=max_steps))
        self.output = printed.getvalue()
        self.execution: Execution | None = None
        self.tokens = "[]"
        """Tokens of every reply of the network, as JSON."""
        self.is_stopped = False
        self.is_asked_no_further = False
        """Whether the network was not asked to the end of its run."""

    @property
    def n_steps(self) -> int:
        """Number of executed lines of the true run."""
        return self.truth.n_steps

    @property
    def n_states(self) -> int:
        """Number of states of the true run, the end included, with which the network's are compared."""
        return len(whole_run(self.truth)[1]) + 1 if self.truth.events.step else 1

    @property
    def answer(self) -> str:
        """The network's answer in words."""
        if self.execution is None or self.is_asked_no_further:
            return ""
        text = answer_text(self.execution.answer)
        return f"answer {text}" if isinstance(self.execution.answer, Answer) else text

    def stop(self) -> None:
        """End the network's run at its next reply."""
        self.is_stopped = True

    def why_not(self, reader: Reader) -> str:
        """Explain in a sentence why the network cannot execute this run; "" if it can."""
        outcome = self.truth.outcome
        if isinstance(outcome, StepLimit):
            return (
                f"The run does not end within {outcome.limit:,} steps, so there is no truth to compare with."
            )
        if not isinstance(outcome, Returned | Raised):
            return f"The run has no end that the network could reach: {outcome}."
        if not self.truth.events.step:
            return "The call runs no line of the program, so there is nothing to execute."
        prompt = plugins.load("strategy", reader.strategy).opening(self._task(), Settings())
        n = len(reader.tokens.encode("".join(message.text for message in prompt.messages)))
        if n > reader.shape.trained_length:
            return (
                f"The program and its first state are {n:,} tokens long; the network was trained on at most "
                f"{reader.shape.trained_length:,}."
            )
        return ""

    def page(self, name: str = "") -> str:
        """Return the data of the step viewer, with the network's run beside the true one if there is one."""
        runs = []
        if self.execution is not None:
            done = self.execution
            beside_truth = run_of_steps(name, done.steps, done.answer, done.expected)
            if self.is_asked_no_further:
                beside_truth = replace(beside_truth, answer="", expected="", verdict="")
            elif isinstance(done.answer, NoAnswer):
                beside_truth = replace(beside_truth, verdict="no answer")
            runs = [beside_truth]
        view = View(self.program, [self.truth], self.output.encode(), runs=runs, task="browser")
        return data_of(view)

    def saved(self) -> bytes:
        """Return the true run as the bytes of a file that `deskcheck view` and `deskcheck.load` read."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "run.deskcheck"
            write_run(path, self.program, packed_of(self.truth))
            return path.read_bytes()

    async def execute(
        self, reader: Reader, ask: Wrote, tell: Callable[[str], None], *, max_steps: int, until_apart: bool
    ) -> Execution:
        """Let the network execute the call, for at most `max_steps` steps.

        With `until_apart` it stops at the first state that differs from the true one.
        """
        module = plugins.load("strategy", reader.strategy)
        task = self._task()
        asker = _Asker(self, reader, ask, tell, until_apart=until_apart)
        try:
            rollout = await module.run(task, asker, Settings(max_steps=max_steps, on_error=ON_ERROR))
        except _Ended as end:
            ended = NoAnswer("budget", str(end))
            self.is_asked_no_further = True
            rollout = Rollout(ended, asker.completions, asker.states)
        except RecursionError:
            rollout = Rollout(NoAnswer("unparsable", "nested too deeply to be read"), asker.completions)
        self.tokens = json.dumps(asker.written)
        self.execution = beside(task, rollout, reader.strategy)
        return self.execution

    def _task(self) -> Task:
        expected = outcome_text(self.truth) if is_plain(self.truth) else "a value that no literal denotes"
        return Task(self.program.id, "", "output", self.program, expected, self.truth, self.program.id)


class _Ended(Exception):
    """The network is asked no further, for the reason in the message."""


class _Asker:
    """Function with which the step loop asks the network; it follows the states that the replies lead to.

    `ask` is the way to the worker.
    """

    is_greedy = True

    def __init__(
        self, run: BrowserRun, reader: Reader, ask: Wrote, tell: Callable[[str], None], *, until_apart: bool
    ) -> None:
        self.run, self.reader, self.ask, self.tell, self.until_apart = run, reader, ask, tell, until_apart
        self.task_id = run.program.id
        self.read = plugins.load("strategy", reader.strategy).read
        self.scored = getattr(plugins.load("layout", reader.strategy), "scored", str)
        start, rest = whole_run(run.truth)
        # Texts of the true states; the last text is the outcome.
        self.true = [str(start), *(str(state) for _, state in rest[:-1]), f"{rest[-1][0]}"]
        self.state = first_state(run.truth)
        self.states: list[str] = []
        self.completions: list[Completion] = []
        self.written: list[list[int]] = []
        """Tokens of every reply, as the network wrote them."""

    async def __call__(self, prompt: Prompt) -> Completion:
        """Ask one prompt; raise `_Ended` on a stop, or with `until_apart` if the state it gives is wrong."""
        tokens = self.reader.tokens
        head, body = (message.text for message in prompt.messages)
        number = len(self.completions)
        ids = [BOS_ID, *tokens.encode(head), *tokens.encode(body)]
        request = {
            "prompt": ids,
            "max_tokens": prompt.max_tokens,
            "temperature": prompt.temperature,
            "seed": zlib.crc32(f"{self.task_id}\n0\n{number}".encode()),
        }
        reply = json.loads(await self.ask(json.dumps(request)))
        self.written.append(reply["tokens"])
        completion = Completion(
            text=tokens.decode([token for token in reply["tokens"] if token != EOS_ID]),
            finish_reason=reply["finish"],
            n_tokens_in=len(ids),
            n_tokens_out=len(reply["tokens"]),
        )
        self.completions.append(completion)
        self._follow(completion)
        if self.run.is_stopped:
            raise _Ended("stopped")
        return completion

    def _follow(self, completion: Completion) -> None:
        after = readable(self.read, self.state, completion, len(self.states) + 1)
        number = len(self.states) + 1
        true = self.true[number] if number < len(self.true) else ""
        if isinstance(after, NoAnswer):
            self.tell(json.dumps({"number": number, "unread": after.detail or after.reason}))
            return
        if isinstance(after, StateTree):
            self.state = after
            self.states.append(str(after))
            believed = str(after)
        else:
            believed = self.scored(completion.text.strip("\n"))
        apart = parts_apart(true, believed)
        self.tell(json.dumps({"number": number, "true": true, "believed": believed, "apart": apart}))
        if apart and self.until_apart:
            raise _Ended("stopped at the first difference")


def reader_of(described: str) -> Reader:
    """Return the reader of the file that `site.py` writes about the model."""
    model = json.loads(described)
    return Reader(model["tokenizer"], model["config"], model["layouts"])


def is_unchanged() -> bool:
    """Whether no program has replaced a built-in, so that this interpreter may run the next program."""
    now = vars(builtins)
    return len(now) == len(_BUILTINS) and all(now.get(name) is value for name, value in _BUILTINS.items())


def begin(source: str, call: str, max_steps: int) -> BrowserRun | str:
    """Return the true run, or a sentence that says why there is none."""
    try:
        return BrowserRun(source, call, max_steps=max_steps)
    except (DeskcheckError, SyntaxError, ValueError, RecursionError) as error:
        where = f"line {error.lineno}: " if isinstance(error, SyntaxError) and error.lineno else ""
        return f"{where}{getattr(error, 'msg', None) or error}"
