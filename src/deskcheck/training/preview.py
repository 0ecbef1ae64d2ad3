"""Show a dataset as a trainer sees it: programs, their examples in a layout, and the tokens with loss.

    examples_text(Path("data/easy"), "line-1", n=2) -> str
    examples_text(Path("mix.toml"), "", n=2)        -> the first programs that a mixture draws

Tokens are those of models trained from scratch (`tokenizer.py`); `deskcheck train --model NAME --show-batch`
shows those of another model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from deskcheck.errors import MissingExtra, UserError
from deskcheck.records import Example, Program

MOST_SHOWN = 4
"""Largest number of examples shown of one program in one layout."""


def examples_text(path: Path, layout: str, *, n: int) -> str:
    """Render the first `n` training programs, with ⟦ and ⟧ around tokens with loss and | between them.

    `path`: a dataset's folder, or a mixture (FILE.toml), for which `layout` must be "".
    """
    try:
        from deskcheck.training.hub.data import HubOptions, run_examples
        from deskcheck.training.mixture import SUFFIX
        from deskcheck.training.tokenizer import build_tokenizer

        build_tokenizer()
    except ModuleNotFoundError as error:
        raise MissingExtra(str(error.name), "train", "showing tokens") from None
    is_mixture = path.suffix == SUFFIX
    if is_mixture and layout:
        raise UserError(f"--layout {layout} beside {path}: a mixture names its layouts itself")
    options = HubOptions(model="", data=str(path), out="", layouts=[layout])
    counts: Counter[str] = Counter()
    lines: list[str] = []
    n_shown = 0
    for run in run_examples(options):
        examples = [example for example, _ in run(counts, [])]
        if examples:
            lines += _lines(run.program, examples)
            n_shown += 1
        if n_shown >= n:
            break
    left_out = {name: count for name, count in counts.items() if count and name not in ("programs", "near")}
    why = f" ({', '.join(f'{count:,} {name}' for name, count in left_out.items())})" if left_out else ""
    n_left_out = counts["programs"] - n_shown
    return "\n".join(
        [*lines, f"read {counts['programs']:,}, shown {n_shown:,}, left out {n_left_out:,}{why}"]
    )


def _lines(program: Program, examples: list[Example]) -> Iterator[str]:
    yield f"=== {program.call}  [{program.origin}; {program.license}]"
    yield program.source.rstrip("\n")
    for layout, n in Counter(example.layout for example in examples).items():
        in_layout = [example for example in examples if example.layout == layout]
        yield from map(_text_of, in_layout[:MOST_SHOWN])
        if n > MOST_SHOWN:
            yield f"and {n - MOST_SHOWN} more of this program in {layout}"


def _text_of(example: Example) -> str:
    """Render an example: the prompt, then the target token by token."""
    from deskcheck.training.data import encode
    from deskcheck.training.tokenizer import build_tokenizer

    tokenizer = build_tokenizer()
    (question,) = encode([example], tokenizer)
    target = "|".join(tokenizer.decode([token]) for token in question.target[:-1])
    n_before = question.n_tokens - len(question.target)
    return (
        f"--- {example.layout}, step {example.step}: {n_before} tokens without loss, "
        f"{len(question.target)} with\n{example.prompt}⟦{target}|␃⟧"
    )
