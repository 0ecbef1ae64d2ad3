"""The prompts of "LLMs as Code Executors" on a model that can compute: train copies of it on dialogues.

    python measurements/prompting_copies.py START --arm iip --out DIR [--tokens 400000] [--seed 0] [--show]
    deskcheck eval --model tiny -M path=DIR/model --benchmark easy --limit 200 --strategy iip-dynamic

An arm is one way to ask: `vanilla`, `cot`, or `iip` (one line at a time, strategy `iip-dynamic`). The
strategy itself runs on generated programs, and instead of a model the trace answers. So the copy is trained
on the requests that an evaluation sends, with replies that are true. Loss is on the replies alone. Programs
of `iip` draw a window (full, last-3, state), one or two passes, and whether each state is checked.
All arms read the same number of tokens. `--show` prints one dialogue and stops.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random

from msgspec.structs import replace

from deskcheck import plugins
from deskcheck.decontamination.near import program_copy
from deskcheck.inference.network import Digits
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
from layout_copies import trained_copy

STRATEGIES = {"vanilla": "vanilla", "cot": "cot", "iip": "iip-dynamic"}
ROW_LENGTH = 2048
EXCHANGES = 8
"""Most replies of one dialogue that are trained on."""
RATE = Optimiser(learning_rate=2e-4, weight_decay=0.05, warmup_share=0.05, decay_share=0.5)
"""That of the preset `tiny-further`; not tuned."""


def true_replies(task: Task, arm: str) -> list[str]:
    """Return the replies of a model that executes without an error, one for each request of the arm."""
    answer = f"[ANSWER]{task.expected}[/ANSWER]"
    visits, held = entry_lines(task.truth), entry_locals(task.truth)
    lines = task.program.source.split("\n")
    states = [held[event] for event, _ in visits]
    if arm == "vanilla":
        return [answer]
    if arm == "cot":
        said = []
        for number, (_, line) in enumerate(visits):
            now = states[number + 1] if number + 1 < len(states) else states[number]
            new = [f"{name} = {text}" for name, text in now.items() if states[number].get(name) != text]
            said.append(f"Line {line}: {lines[line - 1].strip()} -> {'; '.join(new) or 'no change'}")
        return ["\n".join([*said, answer])]
    replies = [
        f"STATE: {_in_words(states[number])}\nNEXT: {line}"
        for number, (_, line) in enumerate(visits)
        if number
    ]
    return [*replies, f"STATE: {_in_words(states[-1])}\n{answer}"]


def _in_words(state: dict[str, str]) -> str:
    return "; ".join(f"{name} = {text}" for name, text in state.items()) or "none"


def dialogue(task: Task, arm: str, settings: Settings) -> list[tuple[str, str]]:
    """Run the arm's strategy with true replies; return the text of each request with its reply."""
    replies = true_replies(task, arm)
    times = 2 if settings.on_error == "check" and arm == "iip" else 1
    planned = [reply for reply in replies for _ in range(times)] * (settings.passes if arm == "iip" else 1)
    said: list[tuple[str, str]] = []

    async def ask(prompt: Prompt) -> Completion:
        reply = planned[len(said)]
        said.append(("".join(message.text for message in prompt.messages), reply))
        return Completion(reply, "stop")

    rollout = asyncio.run(plugins.load("strategy", STRATEGIES[arm]).run(task, ask, settings))
    if len(said) != len(planned):
        raise AssertionError(
            f"{task.id}: {len(said)} requests, {len(planned)} true replies: {rollout.answer}"
        )
    return said


def drawn_settings(arm: str, rng: Random) -> Settings:
    """Draw window, passes and reaction to errors for a dialogue of `iip`."""
    if arm != "iip":
        return Settings()
    return Settings(
        history=rng.choice(("full", "last-3", "state")),
        on_error=rng.choice(("stop", "stop", "check")),
        passes=rng.choice((1, 1, 2)),
    )


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
            yield dialogue(task, arm, drawn_settings(arm, rng))


def questions(arm: str, shape: Shape, seed: int, n_tokens: int) -> Iterator[Question]:
    """Yield questions in tokens until `n_tokens` are read; the first request's common part is the head."""
    tokenizer = build_tokenizer(size=shape.vocabulary)
    turned, read = Digits(tokenizer.token_to_id).turned, reader(tokenizer)
    done = 0
    for number, exchanges in enumerate(dialogues(arm, seed)):
        head_text = exchanges[0][0].rsplit("\n", 1)[0] + "\n" if arm == "iip" else exchanges[0][0]
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
    """Train one arm."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("start")
    parser.add_argument("--arm", choices=STRATEGIES, required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--tokens", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
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


if __name__ == "__main__":
    main()
