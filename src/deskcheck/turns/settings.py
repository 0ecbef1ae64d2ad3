"""Define the settings of strategies, and tell from them whether a strategy fits a task or is an oracle.

    make_settings({"max_steps": "50"}) -> Settings(max_steps=50)
    label("iip-dynamic", settings)     -> "iip-dynamic(history=state)"
    strategy = WithOptions(plugins.load("strategy", "line-1"))   takes two options of every trained layout
    strategy.opening(task, Settings(step_in="no")) -> Prompt, whose head begins with "[line-1 step_in=no]"

`strategies/__init__.py` lists the declarations of a strategy. The two options are:
step_in=no: calls in the true run are stepped over (`states/calls.py`), so `s = f(x)` is one step.
literals=spelled: prompts and answers are spelled out (`states/spelling.py`); a reply is converted back before
it is read.
The head names the options that are not defaults, so that one model can be trained on all of them. A layout
needs no code for either option.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from types import ModuleType
from typing import Any, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from deskcheck import plugins
from deskcheck.errors import UnknownName, UserError
from deskcheck.languages import offers
from deskcheck.records import Completion, Prompt, Rollout, Task
from deskcheck.states.calls import stepped_over
from deskcheck.states.spelling import plain_again, spelled, spelled_code
from deskcheck.states.steps import unstated
from deskcheck.turns.wording import as_text, title, wording

Ask = Callable[[Prompt], Awaitable[Completion]]
READ = ("facts", "entry")
"""Parts of a language that a strategy needs if it fits only some kinds of question."""
ANY: frozenset[str] = frozenset()
"""FITS of a strategy whose prompt holds the task's own question: every kind."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Settings of strategies; each strategy reads those that it names in SETTINGS."""

    max_steps: int = 1000
    """Maximum number of requests about one task; never derived from the truth."""
    statement_language: str = "en"
    """Language of the prompt: en or zh."""
    history: str = "full"
    """How much of the conversation a prompt shows: full, last-K (the last K exchanges), or state (the last
    state alone)."""
    on_error: str = "stop"
    """Reaction to a reply that cannot be read: stop; reask (ask again); vote (the most frequent of several
    drawn replies counts); check (ask again, and let the model review every state or check every jump)."""
    passes: int = 1
    """Number of passes over the program; a later pass sees the answer of the one before."""
    votes: int = 5
    """Number of answers that are drawn; the most frequent one counts."""
    shots: int = 0
    """Number of worked examples before the question, which let a chat model use a layout."""
    skip: str = "4"
    """Length of a jump: a number of steps, likely (the model's own confidence decides), or search (every
    length is tried against the truth: an upper bound, marked as oracle)."""
    sure: float = 0.9
    """skip=likely takes a jump whose answer has at least this probability."""
    jump: str = "over"
    """debugger: over (next line of this frame), return (end of this frame), breakpoint (its return lines)."""
    teacher_forcing: str = "false"
    """true: each step starts from the true state, not from the model's own (accuracy per step; an oracle)."""
    inject_states: str = "0"
    """Replace the model's first states by wrong ones (3wrong) or by true ones (3true, the control); 0 = none.
    An oracle."""
    step_in: str = "yes"
    """no = a call is one step, as with a function of a library; only for models that were trained so."""
    literals: str = "plain"
    """spelled = each character and digit of a literal is one symbol; only for models that were trained so."""
    prompt: str = ""
    """A text file with blanks, or the name of a published prompt; its whole text is stored. Also --prompt."""


# Pattern of a value, and its description.
CHECKS = {
    "max_steps": (r"[1-9]\d*", "a number from 1 on"),
    "statement_language": ("en|zh", "en or zh"),
    "history": (r"full|state|last-[1-9]\d*", "full, state or last-K, for example last-3"),
    "on_error": ("stop|reask|vote|check", "stop, reask, vote or check"),
    "passes": (r"[1-9]\d?", "a number from 1 to 99"),
    "votes": (r"[1-9]\d*", "a number from 1 on"),
    "shots": (r"\d", "a number from 0 to 9"),
    "skip": (r"[1-9]\d*|likely|search", "a number of steps, likely or search"),
    "sure": (r"0?\.\d+|1\.0|0\.0", "a probability, for example 0.9"),
    "jump": ("over|return|breakpoint", "over, return or breakpoint"),
    "teacher_forcing": ("false|true", "false or true"),
    "step_in": ("yes|no", "yes or no"),
    "literals": ("plain|spelled", "plain or spelled"),
    "prompt": (r"(?s).+", "a text file, or the name of a published prompt"),
    "inject_states": (r"0|[1-9]\d?(wrong|true)", "0, Nwrong or Ntrue, for example 3wrong"),
}


# Older spellings, in study files and stored rows.
_RENAMED = {"feed": "teacher_forcing", "planted": "inject_states"}
_SPOKEN = ("en", "zh")
"""Values by which a stored `language` is the spoken one; a benchmark's `language` is the program's."""


def current(values: Mapping[str, object]) -> dict[str, object]:
    """Rename older settings: `feed=` to `teacher_forcing=`, `language=zh` to `statement_language=zh`, .."""
    named = {_RENAMED.get(name, name): value for name, value in values.items()}
    spoken = named.get("language")
    if spoken in _SPOKEN or (isinstance(spoken, list) and set(spoken) <= set(_SPOKEN)):
        named["statement_language"] = named.pop("language")
    if named.get("teacher_forcing") == "own":
        named["teacher_forcing"] = "false"
    return named


def make_settings(values: Mapping[str, object]) -> Settings:
    """Return settings from names and values (text or not). UserError names a value that is not allowed."""
    values = current(values)
    for name, value in values.items():
        if name not in CHECKS:
            raise UnknownName("setting", name, list(CHECKS))
        form, words = CHECKS[name]
        if not re.fullmatch(form, str(value)):
            raise UserError(f"setting {name}={value}: expected {words}")
    texts = {name: str(value) for name, value in values.items()}
    if "prompt" in texts:
        texts["prompt"] = as_text(wording(texts["prompt"]))
    return msgspec.convert(texts, Settings, strict=False)


def how_many(setting: str, n_lines: int) -> int:
    """Return the number of states injected in a run of `n_lines` lines: one line is left for the model."""
    # "3wrong" or "3true": the letters of both words are cut off
    return min(int(setting.rstrip("wrongtue") or 0), max(0, n_lines - 1))


# ------------------------------------------------------------------ what a strategy states


class Strategy(Protocol):
    """Names that every strategy's module defines; `strategies/__init__.py` lists the optional ones too."""

    FITS: frozenset[str]
    SETTINGS: frozenset[str]
    TRAINED: bool

    def opening(self, task: Task, settings: Settings) -> Prompt:
        """Make the first prompt of a rollout."""
        ...

    async def run(self, task: Task, ask: Ask, settings: Settings) -> Rollout:
        """Ask, and read the answer."""
        ...


def check_fit(name: str, strategy: Strategy, *, kind: str, settings: Settings | None = None) -> None:
    """Raise UserError, with the reason, if the strategy cannot ask this kind with these settings.

    Without settings, only the kind is checked.
    """
    if strategy.FITS and kind not in strategy.FITS:
        fits = ", ".join(sorted(strategy.FITS))
        why = f"; {strategy.WHY}" if hasattr(strategy, "WHY") else ""
        raise UserError(f"strategy '{name}' cannot ask for '{kind}' tasks; it fits: {fits}{why}")
    why = strategy.refusal(kind, settings) if settings and hasattr(strategy, "refusal") else ""
    if why:
        raise UserError(f"strategy '{name}' cannot ask for '{kind}' tasks so: {why}")


def check_program(name: str, strategy: Strategy, task: Task, *, settings: Settings) -> None:
    """Raise UserError, with the reason, if the strategy cannot ask about the task's language or run."""
    language = task.program.language
    if reason := language_refusal(strategy, language, settings):
        raise UserError(f"strategy '{name}' {reason}; task {task.id} of '{task.benchmark}' is in {language}")
    is_stepped = hasattr(strategy, "CHAIN") or hasattr(strategy, "FORCED")
    if is_stepped and (reason := unstated(task.truth)):
        raise UserError(f"strategy '{name}' asks for steps; task {task.id} of '{task.benchmark}': {reason}")


def language_refusal(strategy: Strategy, language: str, settings: Settings) -> str:
    """Return why a strategy with these settings cannot ask about programs in a language; "" if it can."""
    reason = python_reason(strategy, settings)
    if reason and language.partition(" of ")[0] != "python":
        return f"reads programs in Python, since {reason}"
    parts = (*(READ if strategy.FITS else ()), *getattr(strategy, "PARTS", ()))
    missing = next((part for part in parts if not offers(language, part)), "")
    return f"reads the {missing} of a program, and {language} has no such part" if missing else ""


def python_reason(strategy: Strategy, settings: Settings) -> str:
    """Return why a strategy asks about Python alone with these settings; "" if it does not."""
    if strategy.TRAINED and settings.shots:
        return f"the rules and worked examples of shots={settings.shots} are in Python"
    by_settings = getattr(strategy, "python_by_settings", None)
    if by_settings is not None:
        return str(by_settings(settings))
    return str(getattr(strategy, "PYTHON", ""))


def says(name: str, what: str) -> str:
    """Return a declaration of a strategy's file as text; "" if it is missing or the strategy not installed.

    Stored rows may come from a strategy of another installation.
    """
    try:
        found = getattr(plugins.load("strategy", name), what, "")
    except UnknownName:
        return ""
    return str(found) if found else ""


def sends_one_request(name: str, settings: Settings) -> bool:
    """Tell whether a rollout of this strategy is a single request."""
    declared = says(name, "AT_ONCE") or says(name, "ONE_REQUEST")
    return bool(declared) and settings.passes == 1


def settings_of(name: str, strategy: Strategy, settings: Settings) -> Settings:
    """Return the settings that this strategy reads, others reset.

    UserError for a language it cannot ask in.
    """
    known = {setting: getattr(settings, setting) for setting in strategy.SETTINGS}
    if "statement_language" in known and settings.statement_language not in getattr(
        strategy, "STATEMENT_LANGUAGES", ("en",)
    ):
        raise UserError(
            f"strategy '{name}' asks in {', '.join(getattr(strategy, 'STATEMENT_LANGUAGES', ('en',)))}"
        )
    return Settings(**known)


def label(name: str, settings: Settings) -> str:
    """Write the name with the settings that are not defaults: "iip-dynamic(history=state)"."""
    turned = msgspec.to_builtins(settings)
    if settings.prompt:
        turned["prompt"] = title(settings.prompt)
    return (
        f"{name}({', '.join(f'{setting}={value}' for setting, value in turned.items())})" if turned else name
    )


def is_oracle(strategy: Strategy, settings: Settings) -> bool:
    """Tell whether the strategy uses the truth, as an oracle does."""
    turned = settings.skip == "search" or settings.teacher_forcing == "true" or settings.inject_states != "0"
    return turned or bool(getattr(strategy, "ORACLE", False))


# ------------------------------------------------------------------ two options of every trained layout

OPTIONS = frozenset({"step_in", "literals"})
ROOM = 2
"""Factor of the token budget for spelled answers."""


def marked(head: str, *, step_in: str, literals: str) -> str:
    """Return the head with its options that are not defaults; unchanged if it names no layout."""
    marks = [f"step_in={step_in}"] * (step_in != "yes") + [f"literals={literals}"] * (literals != "plain")
    first, end, rest = head.partition("]\n")
    return f"{first} {' '.join(marks)}{end}{rest}" if marks and head.startswith("[") and end else head


def written(head: str, body: str, target: str, *, step_in: str, literals: str) -> tuple[str, str, str]:
    """Return head, body and answer of a training example under these options."""
    if literals == "spelled":
        head, body, target = _spelled_head(head), spelled(body), spelled(target)
    return marked(head, step_in=step_in, literals=literals), body, target


def is_turned(settings: Settings) -> bool:
    """Return whether one of OPTIONS differs from its default."""
    return (settings.step_in, settings.literals) != ("yes", "plain")


def _spelled_head(head: str) -> str:
    """Return the head with its program spelled out; the layout's name does not change."""
    name, end, code = head.partition("\n") if head.startswith("[") else ("", "", head)
    return name + end + spelled_code(code)


class WithOptions:
    """A trained layout's strategy that also takes OPTIONS."""

    def __init__(self, strategy: ModuleType) -> None:
        self._strategy: Any = strategy
        self.SETTINGS: frozenset[str] = strategy.SETTINGS | OPTIONS

    def __getattr__(self, name: str) -> Any:
        return getattr(self._strategy, name)

    def opening(self, task: Task, settings: Settings) -> Prompt:
        """Return the strategy's first prompt, under the options."""
        return _prompt(self._strategy.opening(stepping(task, settings), settings), settings)

    async def run(self, task: Task, ask: Ask, settings: Settings) -> Rollout:
        """Run the strategy, with the options applied to every prompt and reply."""

        async def asked(prompt: Prompt) -> Completion:
            completion = await ask(_prompt(prompt, settings))
            if settings.literals == "plain":
                return completion
            return replace(completion, text=plain_again(completion.text))

        rollout: Rollout = await self._strategy.run(stepping(task, settings), asked, settings)
        return rollout

    def refusal(self, kind: str, settings: Settings) -> str:
        """Return why the strategy cannot ask this kind with these settings; "" if it can."""
        if settings.shots and is_turned(settings):
            return "step_in and literals are for models trained with them; worked examples show neither"
        if settings.step_in == "no" and kind != "output":
            return "with step_in=no the run shows no line of a callee; only the output is asked"
        own = getattr(self._strategy, "refusal", None)
        return str(own(kind, settings)) if own is not None else ""


def stepping(task: Task, settings: Settings) -> Task:
    """Return the task with the run that the strategy follows."""
    return replace(task, truth=stepped_over(task.truth)) if settings.step_in == "no" else task


def _prompt(prompt: Prompt, settings: Settings) -> Prompt:
    if not is_turned(settings):
        return prompt
    is_spelled = settings.literals == "spelled"
    messages = []
    for message in prompt.messages:
        text = message.text
        if message.role == "system":
            text = _spelled_head(text) if is_spelled else text
            text = marked(text, step_in=settings.step_in, literals=settings.literals)
        elif is_spelled:
            text = spelled(text)
        messages.append(replace(message, text=text))
    room = ROOM if is_spelled else 1
    return replace(prompt, messages=messages, max_tokens=prompt.max_tokens * room)
