"""Write a model's execution beside the truth, as text for a terminal or a pipe.

    execution_lines(program, steps, answer=..., expected=...) -> lines

A state on which model and truth agree is one line; otherwise both states are shown, with the names that
differ. Steps are executed lines, numbered as `deskcheck trace` numbers them; calls and returns between them
have no number. The marks "=" and "≠" show agreement also without color.
"""

from __future__ import annotations

from collections.abc import Iterator

from deskcheck.records import Answer, BeliefStep, NoAnswer, Program
from deskcheck.states.parse import read_state
from deskcheck.states.tree import StateTree
from deskcheck.viewer.belief import ModelRun
from deskcheck.viewer.terminal import PLAIN, Paint


def execution_lines(
    program: Program,
    steps: list[BeliefStep],
    *,
    answer: str,
    expected: str,
    paint: Paint = PLAIN,
    most: int = 60,
) -> Iterator[str]:
    """Yield the lines to print; a line marks where a run of more than `most` states was cut."""
    source = program.source.split("\n")
    first = next((s.number for s in steps if s.apart), None)
    names = step_names(steps)
    n_lines = max((int(name) for name in names if name.isdigit()), default=0)
    width = (paint.width or 110) // 2
    yield paint.line(("bold", program.call), f": {n_lines} steps")
    last, is_over = -1, False  # the step shown before; whether the model's run is over
    for step in _steps_to_show(steps, first, most):
        if step.number != last + 1:
            yield f"      ... {step.number - last - 1} states not shown (--all shows them) ..."
        last = step.number
        text = source[step.line - 1].rstrip() if 0 < step.line <= len(source) else ""
        if step.number == first:
            yield paint.line(("wrong", f"      ---- from here model and truth part: {step.apart} ----"))
        mark = ("wrong", " ≠ ") if step.apart else ("right", " = ")
        shown = f"{step.true or '(over)':{width}}"
        yield paint.line(f"{names[step.number]:>5}", mark, shown, "  ", ("dim", text))
        if step.apart and (step.believed or not is_over):
            yield paint.line("  model ", ("changed", step.believed or "(over)"), _differing(step))
        is_over = not step.believed
    yield from _summary(steps, first, names, n_lines)
    yield paint.line(f"model: {answer}")
    yield paint.line(f"truth: {expected}")


def _summary(steps: list[BeliefStep], first: int | None, names: list[str], n_lines: int) -> Iterator[str]:
    if first is None:
        yield f"model and truth agree in all {n_lines} steps"
        return
    before = [name for name in names[:first] if name.isdigit()]
    place = (
        f"step {names[first]}"
        if names[first].isdigit()
        else f"the {names[first]} after step {before[-1] if before else 0}"
    )
    yield f"model and truth part at {place}: {len(before)} of {n_lines} steps right"


def step_names(steps: list[BeliefStep]) -> list[str]:
    """Return the label of each state: the number of its step, or "call", "back", "raise", "end"."""
    names, n = [], 0
    for step in steps:
        tree = _tree(step.true)
        if tree is None:
            names.append("end")
        elif tree.frames[-1].mark == "@" and not tree.frames[-1].pending:
            n += 1
            names.append(str(n))
        else:
            pending = tree.frames[-1].pending
            names.append({"<-": "back", "!": "raise"}.get(pending, "call"))
    return names


def _tree(text: str) -> StateTree | None:
    if text[:1] not in ("@", ">", "*"):
        return None
    try:
        return read_state(text)
    except ValueError:
        return None


def _differing(step: BeliefStep) -> tuple[str, str]:
    """Write the names that differ in the running frame, for the end of the model's line."""
    true, belief = _tree(step.true), _tree(step.believed)
    if true is None or belief is None:
        return "wrong", ""
    truth, believed = true.frames[-1].entries, belief.frames[-1].entries
    names = [name for name in {**truth, **believed} if str(truth.get(name)) != str(believed.get(name))]
    return "wrong", f"   ≠ {', '.join(names)}" if names else ""


def _steps_to_show(steps: list[BeliefStep], first: int | None, most: int) -> list[BeliefStep]:
    if len(steps) <= most:
        return steps
    middle = most // 2 if first is None else max(min(first, len(steps) - most // 4), most // 4)
    keep = {
        *range(most // 4),
        *range(middle - most // 4, middle + most // 4),
        *range(len(steps) - most // 4, len(steps)),
    }
    return [step for step in steps if step.number in keep]


def answer_text(answer: Answer | NoAnswer) -> str:
    """Return the text of an answer, or "no answer" with its reason."""
    if isinstance(answer, Answer):
        return answer.text
    return f"no answer: {answer.reason}" + (f" ({answer.detail})" if answer.detail else "")


def run_of_steps(name: str, steps: list[BeliefStep], answer: Answer | NoAnswer, expected: str) -> ModelRun:
    """Return a model's steps as a ModelRun for the page."""
    chain = [step.believed for step in steps[1:] if step.believed[:1] in ("@", ">", "*")]
    text = answer_text(answer)
    return ModelRun(name, chain, text, expected, "right" if text == expected else "wrong")
