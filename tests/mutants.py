"""Faults planted by hand, each of which a test must notice: those that an audit found unnoticed.

    python -m tests.mutants [WORD ..]      all, or those whose file holds a word

Exit code 1 if one survives. The package and the tests are copied to a temporary folder, one text is replaced,
and the named tests run there. Changed C is compiled. Not here, because they change nothing:
`statistics/pooled.py` (a bound that max() repeats), `strategies/_believed.py` (one line more in a range that
holds none), `report/coherence.py` (a guard now gone), `states/loops.py` (an exception at the very event of a
line, which has an event of its own; `loop.endless` for an iteration, since CPython 3.11 to 3.13 visit the
line of a `while True` again), `grading/extraction.py` (a retraction between two tags, also looked for in all
that follows the first), and the guard `!n_cut` in `content_update_at` of the tracing core: an object with a
cut value is always compared whole.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
COPIED = (
    "src",
    "tests",
    "docs",
    "measurements",
    "setup.py",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "MANIFEST.in",
)


class Mutant(NamedTuple):
    """One fault: a text of a file, what stands there instead, and the test that must fail."""

    file: str
    text: str
    instead: str
    test: str
    folder: str = "src/deskcheck"


MUTANTS = (
    Mutant(
        "grading/extraction.py",
        "    return read(text)\n",
        "    return read(text.replace('```', ''))\n",
        "tests/grading/test_extraction.py -k fence",
    ),
    Mutant(
        "report/compare.py",
        "if policies[0] != policies[1]:",
        "if False:",
        "tests/report/test_compare.py -k unequal",
    ),
    Mutant(
        "evaluation/sample_records.py",
        "if not future.done():  # a cancelled sample no longer waits",
        "if True:",
        "tests/solutions/test_answers.py -k cancelled",
    ),
    Mutant(
        "dataset/calls.py",
        "if counts[name] > self._max_calls:",
        "if counts[name] >= self._max_calls:",
        "tests/test_pytest_plugin.py -k parts_of_several",
    ),
    Mutant(
        "strategies/_iip.py",
        "first + min(turn, most) * 2",
        "first - min(turn, most) * 2",
        "tests/strategies/test_iip.py -k estimate",
    ),
    Mutant(
        "report/spent.py",
        "self.right and total >= 0",
        "self.right and total > 0",
        "tests/report/test_judged_and_spent.py -k cost_nothing",
    ),
    Mutant(
        "questions/__init__.py",
        '        raise NotAsked(f"answer is no literal: {error}") from None',
        "        pass",
        "tests/questions/test_questions.py -k such_a_question",
    ),
    Mutant(
        "questions/branches.py",
        "if not 0 < total <= MOST:",
        "if not 0 < total:",
        "tests/questions/test_questions.py -k such_a_question",
    ),
    Mutant(
        "questions/branches.py",
        "if not 0 < total <= MOST:",
        "if not 0 < total < MOST:",
        "tests/questions/test_questions.py -k hundred",
    ),
    Mutant(
        "states/parse.py",
        "items.append(_value(cursor, depth + 1))\n        while cursor.take",
        "items.append(_value(cursor, depth - 1))\n        while cursor.take",
        "tests/states/test_tree.py -k grammar",
    ),
    Mutant(
        "states/render.py",
        "                    waiting.append(~number)\n",
        "",
        "tests/states/test_render.py -k label",
    ),
    Mutant(
        "resume.py",
        "return isinstance(target, type) and type(made) is target and type(target) is type",
        "return (isinstance(target, type) and type(made) is target) or type(target) is type",
        "tests/second_opinion/test_resume.py -k not_sure",
        folder="tests/second_opinion",
    ),
    Mutant(
        "tracing/native/objects/shadows.c",
        "            shadow->key[i] = DEAD_ADDRESS;\n            n++;",
        "            n++;",
        "tests/tracing/test_native.py -k key_that_dies",
    ),
    Mutant(
        "tracing/native/frames/threads.c",
        "while (stack->state == state && stack->n) {",
        "if (stack->state == state && stack->n) {",
        "tests/tracing/test_native.py -k midst",
    ),
    Mutant(
        "grading/foreign.py",
        "members[1::2], strict=True",
        "members[1::2], strict=False",
        "tests/grading/test_foreign.py -k another_language",
    ),
    Mutant(
        "grading/foreign.py",
        'if (owner, name) == ("Map", "of"):',
        'if name == "of" and members and full_name.startswith("Map"):',
        "tests/grading/test_foreign.py -k another_language",
    ),
    Mutant(
        "statistics/horizon.py",
        "share[None, :])[0])) > 1\n",
        "share[None, :])[0])) > 3\n",
        "tests/statistics/test_horizon_interval.py -k from_one_on",
    ),
    Mutant(
        "report/shortcuts.py",
        "for output in same or outputs[:1]:",
        "for output in outputs[:1]:",
        "tests/report/test_gap.py",
    ),
    Mutant(
        "report/shortcuts.py",
        "table.pop((answer.task.partition(\"@\")[0], answer.sample), None)",
        "pass",
        "tests/report/test_consistency.py -k never_asked",
    ),
    Mutant("report/doubts.py", "200 + share", "2 + share", "tests/report/test_doubts.py"),
    Mutant(
        "evaluation/grade.py",
        "if is_literal(text, language=language):",
        "if True:",
        "tests/evaluation/test_grade.py -k everything_that_was_counted",
    ),
    Mutant(
        "rewards/functions.py",
        "MOST_CHARS = 20_000",
        "MOST_CHARS = 2_000_000",
        "tests/rewards/test_attacks.py -k limit",
    ),
    Mutant("rewards/tasks.py", "WINDOW = 256", "WINDOW = 1", "tests/rewards/test_attacks.py -k 256"),
    Mutant(
        "rewards/tasks.py",
        "STEPS_A_RUN = 2",
        "STEPS_A_RUN = 20",
        "tests/rewards/test_attacks.py -k two_steps",
    ),
    Mutant(
        "languages/python/facts.py",
        "if first.lineno == node.lineno or (endless and isinstance(first, _COMPOUND)):",
        "if first.lineno == node.lineno:",
        "tests/states/test_loops.py -k refused",
    ),
)  # fmt: skip


def survives(mutant: Mutant, folder: Path) -> bool:
    """Does the test pass with the fault in place?"""
    path = folder / mutant.folder / mutant.file
    text = path.read_text(encoding="utf-8")
    if mutant.text not in text:
        raise SystemExit(f"{mutant.file} no longer holds {mutant.text!r}: adapt tests/mutants.py")
    path.write_text(text.replace(mutant.text, mutant.instead, 1), encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(folder / "src")}
    try:
        if path.suffix == ".c":
            build(folder, environment)
        words = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", *_words(mutant.test)]
        run = subprocess.run(
            words, cwd=folder, env=environment, capture_output=True, timeout=300, check=False
        )
        if run.returncode not in (0, 1, -11, -6):
            raise SystemExit(
                f"{mutant.test}: pytest ended with {run.returncode}\n{run.stdout.decode()[-2000:]}"
            )
        return run.returncode == 0
    finally:
        path.write_text(text, encoding="utf-8")
        if path.suffix == ".c":
            build(folder, environment)


def _words(test: str) -> list[str]:
    path, _, words = test.partition(" -k ")
    return [path, "-k", words] if words else [path]


def build(folder: Path, environment: dict[str, str]) -> None:
    """Compile the extensions where they lie."""
    words = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(words, cwd=folder, env=environment, capture_output=True, check=True)


def main(words: list[str]) -> int:
    """Try every mutant whose file holds one of the words."""
    chosen = [one for one in MUTANTS if not words or any(word in one.file for word in words)]
    alive = 0
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name in COPIED:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
            copy(ROOT / name, folder / name)
        for mutant in chosen:
            lives = survives(mutant, folder)
            alive += lives
            shown = " ".join(mutant.instead.split())[:60]
            print(f"{'SURVIVES' if lives else 'noticed'}  {mutant.file}: {shown}", flush=True)
    print(f"{len(chosen) - alive} of {len(chosen)} noticed")
    return 1 if alive or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
