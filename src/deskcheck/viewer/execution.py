"""An execution by a model beside the truth, as text for a terminal or a pipe.

    execution_lines(program, steps, answer=..., expected=...) -> lines

Each step is one line while model and truth agree; from where they part both are shown, and the parts that
differ are named. Never colour alone: the marks are "=" and "≠".
"""

from __future__ import annotations

from collections.abc import Iterator

from deskcheck.records import Answer, BeliefStep, NoAnswer, Program


def execution_lines(
    program: Program, steps: list[BeliefStep], *, answer: str, expected: str, width: int = 110, most: int = 60
) -> Iterator[str]:
    """The lines to print; a run longer than `most` steps is cut in the middle, with a word."""
    source = program.source.split("\n")
    first = next((s.number for s in steps if s.apart), None)
    yield f"{program.call}: {len(steps) - 1} steps"
    shown = _chosen(steps, first, most)
    last, over = -1, False
    for step in shown:
        if step.number != last + 1:
            yield f"      ... {step.number - last - 1} steps not shown (--all shows them) ..."
        last = step.number
        text = source[step.line - 1].strip() if 0 < step.line <= len(source) else ""
        if step.number == first:
            yield f"      ---- from here model and truth part: {step.apart} ----"
        mark = "≠" if step.apart else "="
        yield _cut(f"{step.number:5} {mark} {step.true or '(over)':{width // 2}}  {text}", width)
        if step.apart and (step.believed or not over):
            yield _cut(f"      model {step.believed or '(over)'}", width)
        over = not step.believed
    if first is None:
        yield f"model and truth agree in all {len(steps) - 1} steps"
    else:
        n_true = sum(1 for step in steps if step.true) - 1
        yield f"model and truth part at step {first}: {first - 1} of {n_true} steps right"
    yield f"model: {answer}"
    yield f"truth: {expected}"


def _chosen(steps: list[BeliefStep], first: int | None, most: int) -> list[BeliefStep]:
    if len(steps) <= most:
        return steps
    middle = most // 2 if first is None else max(min(first, len(steps) - most // 4), most // 4)
    keep = {
        *range(most // 4),
        *range(middle - most // 4, middle + most // 4),
        *range(len(steps) - most // 4, len(steps)),
    }
    return [step for step in steps if step.number in keep]


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else line[: width - 1] + "…"


def answer_text(answer: Answer | NoAnswer) -> str:
    """An answer, or why there is none."""
    if isinstance(answer, Answer):
        return answer.text
    return f"no answer: {answer.reason}" + (f" ({answer.detail})" if answer.detail else "")
