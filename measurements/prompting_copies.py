"""The prompts of "LLMs as Code Executors" on a model that can compute: train copies of it on dialogues.

    python measurements/prompting_copies.py START --arm iip --out DIR [--tokens 400000] [--seed 0] [--show]
    deskcheck eval --model tiny -M path=DIR/model --benchmark easy --limit 200 --strategy iip-dynamic

An arm is one way to ask: `vanilla`, `cot`, or `iip`. A strategy of the arm itself runs on generated programs
of the family `easy`, and the trace answers instead of a model. So the copy is trained on the requests that an
evaluation sends, with replies that are true. Loss is on the replies alone. In `iip`, half of the programs are
asked by `iip-dynamic` and a sixth each by the other forms, with a drawn window (full, last-3, state), one or
two passes, and states that are checked or not. All arms read the same number of tokens. `--show` prints one
dialogue and stops.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

from msgspec.structs import replace

from deskcheck import plugins
from deskcheck.decontamination.near import program_copy
from deskcheck.inference.network import Digits
from deskcheck.languages import Unit
from deskcheck.models.tiny import Shape
from deskcheck.programs.generated import candidate, family_of
from deskcheck.records import Completion, Prompt, Task
from deskcheck.states.visits import entry_lines, entry_locals
from deskcheck.strategies import Settings
from deskcheck.training.data import Question, pack
from deskcheck.training.export import read_shape
from deskcheck.training.pieces import reader
from deskcheck.training.presets import Mix, Optimiser, Preset, Stage
from deskcheck.training.scores.loops import tasks
from deskcheck.training.tokenizer import BOS_ID, EOS_ID, build_tokenizer
from deskcheck.turns.lines import statements, units
from layout_copies import trained_copy

STRATEGIES = {
    "vanilla": ("vanilla",),
    "cot": ("cot",),
    "iip": ("iip-dynamic", "iip-dynamic", "iip-dynamic", "iip-single", "iip-static", "iip-oracle"),
}
"""Arm -> its strategies; one is drawn for each program."""
ROW_LENGTH = 2048
EXCHANGES = 8
"""Most replies of one dialogue that are trained on."""
RATE = Optimiser(learning_rate=2e-4, weight_decay=0.05, warmup_share=0.05, decay_share=0.5)
"""That of the preset `tiny-further`; not tuned."""


def true_replies(task: Task, strategy: str) -> list[str]:
    """Return the replies of a model that executes without an error, one for each request of the strategy."""
    answer = f"[ANSWER]{task.expected}[/ANSWER]"
    visits, held = entry_lines(task.truth), entry_locals(task.truth)
    lines = [line for _, line in visits]
    before = [held[event] for event, _ in visits]
    after = [*before[1:], before[-1]]
    if strategy == "vanilla":
        return [answer]
    if strategy == "cot":
        code = [text.strip() for text in task.program.source.split("\n")]
        changes = [
            [f"{name} = {text}" for name, text in new.items() if old.get(name) != text]
            for old, new in zip(before, after, strict=True)
        ]
        said = [
            f"Line {line}: {code[line - 1]} -> {'; '.join(changed) or 'no change'}"
            for line, changed in zip(lines, changes, strict=True)
        ]
        return ["\n".join([*said, answer])]
    if strategy == "iip-single":
        said = [f"L{line}: {_in_words(state)}" for line, state in zip(lines, after, strict=True)]
        return ["\n".join([*said, answer])]
    if strategy == "iip-static":
        return [*(f"STATE: {_in_words(_after(unit, task))}" for unit in units(task.program)), answer]
    states = [f"STATE: {_in_words(state)}" for state in after]
    if strategy == "iip-oracle":
        return [*states, answer]
    following = [*(f"NEXT: {line}" for line in lines[1:]), answer]
    return [f"{state}\n{end}" for state, end in zip(states, following, strict=True)]


def _after(unit: Unit, task: Task) -> dict[str, str]:
    """Return the variables after a piece of the source, read before the first later line that runs."""
    visits, held = entry_lines(task.truth), entry_locals(task.truth)
    if unit.first not in statements(task.program):
        return held[visits[0][0]] if "def " in unit.text else {}
    event = next((event for event, line in visits if line > unit.last), visits[-1][0])
    return held[event]


def _in_words(state: Mapping[str, str]) -> str:
    return "; ".join(f"{name} = {text}" for name, text in state.items()) or "none"


def dialogue(task: Task, strategy: str, settings: Settings) -> list[tuple[str, str]]:
    """Run the strategy with true replies; return the text of each request with its reply."""
    times = 2 if settings.on_error == "check" else 1
    planned = [reply for reply in true_replies(task, strategy) for _ in range(times)] * settings.passes
    said: list[tuple[str, str]] = []

    async def ask(prompt: Prompt) -> Completion:
        reply = planned[len(said)]
        said.append(("".join(message.text for message in prompt.messages), reply))
        return Completion(reply, "stop")

    rollout = asyncio.run(plugins.load("strategy", strategy).run(task, ask, settings))
    if len(said) != len(planned):
        raise AssertionError(f"{task.id}: {len(said)} requests, {len(planned)} replies: {rollout.answer}")
    return said


def drawn_settings(strategy: str, rng: Random) -> Settings:
    """Draw the number of passes, the window and the reaction to errors, where the strategy has them."""
    if not strategy.startswith("iip-"):
        return Settings()
    passes = rng.choice((1, 1, 2))
    if strategy == "iip-single":
        return Settings(passes=passes)
    window, on_error = rng.choice(("full", "last-3", "state")), rng.choice(("stop", "stop", "check"))
    return Settings(history=window, on_error=on_error, passes=passes)


def dialogues(arm: str, seed: int) -> Iterator[list[tuple[str, str]]]:
    """Yield dialogues about drawn programs of the family `easy`, without end."""
    number = 0
    while True:
        number += 1
        rng = Random(f"prompting:{seed}:{number}")
        found = candidate(family_of("easy"), seed, number)
        if found is None or program_copy(found[0]) is not None:
            continue
        (task,) = tasks([found])
        if task.expected and entry_lines(task.truth):
            strategy = rng.choice(STRATEGIES[arm])
            yield dialogue(task, strategy, drawn_settings(strategy, rng))


def questions(arm: str, shape: Shape, seed: int, n_tokens: int) -> Iterator[Question]:
    """Yield questions in tokens until `n_tokens` are read; the first request's common part is the head."""
    tokenizer = build_tokenizer(size=shape.vocabulary)
    turned, read = Digits(tokenizer.token_to_id).turned, reader(tokenizer)
    done = 0
    for number, exchanges in enumerate(dialogues(arm, seed)):
        first = exchanges[0][0]
        head_text = first if len(exchanges) == 1 else first.rsplit("\n", 1)[0] + "\n"
        picked = exchanges
        if len(picked) > EXCHANGES:
            picked = [
                picked[n] for n in sorted(Random(f"{seed}:{number}").sample(range(len(picked)), EXCHANGES))
            ]
        head = (BOS_ID, *turned(read(head_text)))
        done += len(head)
        for text, reply in picked:
            target = [*turned(read(reply)), EOS_ID]
            if text.startswith(head_text):
                question = Question(head, turned(read(text.removeprefix(head_text))), target)
            else:  # a later pass has another introduction
                question = Question((BOS_ID, *turned(read(text))), [], target)
            if question.n_tokens <= ROW_LENGTH:
                done += question.n_tokens - len(head)
                yield question
        if done >= n_tokens:
            return


def main() -> None:
    """Train a copy on one arm, or print one of its dialogues."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("start", nargs="?", default="")
    parser.add_argument("--arm", choices=STRATEGIES, default="iip")
    parser.add_argument("--out", default="runs/prompting")
    parser.add_argument("--tokens", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    if not given.start:
        print('not run: name the folder of a small model; "tiny" = the shipped one')
        return
    if given.show:
        for text, reply in next(dialogues(given.arm, given.seed)):
            print(text + "⟦" + reply + "⟧\n---")
        return
    shape = read_shape(given.start)
    preset = Preset(
        "copy",
        replace(shape, trained_length=ROW_LENGTH),
        1,
        Mix({"direct": 1.0}),
        (Stage(1.0, {}),),
        RATE,
        rows_per_pass=1,
    )
    rows, report = pack(
        questions(given.arm, shape, given.seed, given.tokens), max_length=ROW_LENGTH, seed=given.seed
    )
    print(
        f"{given.arm}: {report.n_rows} rows, {report.n_tokens:,} tokens, {report.n_loss:,} with loss",
        flush=True,
    )
    trained_copy(given.start, preset, rows, Path(given.out), seed=given.seed)
    names = ", ".join(dict.fromkeys(STRATEGIES[given.arm]))
    (Path(given.out) / "model" / "README.md").write_text(f"---\nlayouts: [{names}]\n---\n")


if __name__ == "__main__":
    main()
