"""core: small programs written for this project, with three calls each; what does a call return?

    deskcheck eval --model deskcheck/tiny --benchmark core --strategy line-1 -T statement=zh -T version=1
    drafts("") -> drafts of the packaged problems; drafts("folder") -> those of a folder of such files

Each problem is one file. A header of "# key: value" lines comes first: the keys of HEADER in order, then
`pattern` for dynamic programming or `control-for` for controls, then three `call`s. The program follows.
A control is a simple program that takes about as many steps as another problem. Models see the header's
statement, in English or Chinese, only on request, and nothing else of the header.
Recorded answers are in `answers*.json`. Source: this project. License: Apache-2.0. The versions are frozen,
with 60, 188, 290 and 410 problems (`VERSIONS`, docs/benchmarks/core.md). Programs that need a library which
is not installed are left out, with the reason.

20 problems also exist in JavaScript, in `core_problems/javascript`, with the same ids: -T language=javascript
asks these twins, language=python their originals. A comment `differs: NUMBER REASON` marks a call whose
outcome in JavaScript is another one.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal

import msgspec

from deskcheck.errors import DataError, UserError
from deskcheck.records import Program, Skipped, TaskDraft
from deskcheck.tracing.program import make_program

HUB = None
# Keys of a problem's header in their order, and keys that some headers have after these.
HEADER = ("family", "title", "time", "space", "english", "chinese")
EXTRA = ("pattern", "control-for")
CALLS = 3
"""Number of calls of each problem."""
ANSWERS = "answers*.json"


class Version(msgspec.Struct, frozen=True):
    """Problems that one version added. Problems of earlier versions are never changed."""

    last: int
    """Number of the last added problem; the first one follows the last of the version before."""
    answers: str
    """File of the recorded answers of the added problems."""
    sha256: str
    """`fingerprint` of problems and answers. Version 1 was frozen before any model of ours was tuned."""
    recorded_with: tuple[str, ...] = ()
    """Versions of libraries with which its answers were recorded."""


VERSIONS = {
    1: Version(60, "answers.json", "8678c3ddacc8cfb820e39be45cdb9a876811de875b8f29ab4ede9b6055134bc0"),
    2: Version(188, "answers-2.json", "2be6bcb7c5ead0d9f08744caeb287ee813b09215e6894a0b6367b1aa2898bccf"),
    3: Version(290, "answers-3.json", "8419c8fe64daeab874cc9779965fdaac1a98b0eb27d97f18594c0be19682c727"),
    4: Version(
        410,
        "answers-4.json",
        "25cf8ae4162a4f1e9c66e5ea30956a71d7b9a390e136995c65b7251329d12040",
        recorded_with=("numpy 2.4.6", "pandas 3.1.1"),
    ),
}
ASKED_VERSION = 3
"""The version without `-T version`: the newest that models have been asked (decision 042)."""
OPTIONAL = ("numpy", "pandas")
"""Families of problems that need the library of the same name, which a base install lacks."""
_FILE = re.compile(r"(\d{2,3})-[a-z0-9-]+\.py")


class Problem(msgspec.Struct, frozen=True):
    """One problem file: header and program."""

    name: str
    """File name without suffix: "07-tapped-register"."""
    about: dict[str, str]
    """The keys of HEADER and their values."""
    control_for: str
    """Number of the problem whose step counts this problem matches; "" if this problem is no control."""
    pattern: str
    """Pattern of dynamic programming, from version 3 on: "grid", "interval", ..; else ""."""
    calls: list[tuple[str, str]]
    """(entry, argument text)."""
    source: str


def drafts(
    data: str,
    *,
    statement: Literal["none", "en", "zh"] = "none",
    version: int = ASKED_VERSION,
    language: Literal["", "python", "javascript"] = "",
) -> Iterator[TaskDraft | Skipped]:
    """Yield all drafts by the number of their problem; `data` is "" or a folder of problem files.

    `language` "javascript" asks the problems that have a twin in JavaScript as these twins, "python" asks the
    same problems in Python, and "" all problems.
    """
    if version not in VERSIONS:
        raise UserError(
            f"-T version={version}: benchmark 'core' has versions {', '.join(map(str, VERSIONS))}"
        )
    folder = folder_of(data)
    last = 999 if data else VERSIONS[version].last  # 999: numbers of problems have at most three digits
    found = [problem for problem in problems(folder) if int(problem.name.split("-")[0]) <= last]
    twins = twins_of(folder) if language else {}
    found = [problem for problem in found if not language or problem.name in twins]
    answers = recorded_answers(folder)
    names = {problem.name.split("-")[0]: problem.name for problem in found}
    for problem in found:
        if problem.control_for and problem.control_for not in names:
            raise DataError(
                f"{problem.name}.py: control-for: no problem has the number {problem.control_for}"
            )
        tags = {
            **problem.about,
            "lines": str(sum(1 for line in problem.source.split("\n") if line.strip())),
            "control_for": names.get(problem.control_for, ""),
            "pattern": problem.pattern,
        }
        answered = answers.get(problem.name, [""] * CALLS)
        for k, ((entry, arguments), answer) in enumerate(zip(problem.calls, answered, strict=True)):
            identity = f"{problem.name}:{k}"
            if absent := missing_library(problem):
                yield Skipped(identity, f"{absent} is not installed")
                continue
            program = make_program(
                problem.source, entry, arguments, origin=f"core:{identity}", license="Apache-2.0"
            )
            if language == "javascript":
                program, why = twins[problem.name].program(k, identity), twins[problem.name].differs.get(k)
                tags, answer = {**tags, "language": language, "twin": why or "same"}, ""
            words = {"none": "", "en": problem.about["english"], "zh": problem.about["chinese"]}[statement]
            yield TaskDraft(identity, program, answer, cluster=problem.name, tags=tags, statement=words)


class Twin(msgspec.Struct, frozen=True):
    """A problem written again in JavaScript, with its calls."""

    calls: list[tuple[str, str]]
    source: str
    differs: dict[int, str]
    """Number of a call whose outcome differs from that in Python -> the reason."""

    def program(self, k: int, identity: str) -> Program:
        """Return the program of call number `k`."""
        entry, arguments = self.calls[k]
        origin = f"core:{identity}:javascript"
        return make_program(
            self.source, entry, arguments, origin=origin, license="Apache-2.0", language="javascript"
        )


def twins_of(folder: Traversable) -> dict[str, Twin]:
    """Map the names of problems to their twins in JavaScript; DataError names a malformed file."""
    inside = folder / "javascript"
    if not inside.is_dir():
        return {}
    files = sorted(inside.iterdir(), key=lambda file: file.name)
    return {
        file.name.removesuffix(".js"): _twin(file.name, file.read_text(encoding="utf-8")) for file in files
    }


def _twin(name: str, text: str) -> Twin:
    lines = text.split("\n")
    size = next((n for n, line in enumerate(lines) if not line.startswith("// ")), len(lines))
    pairs = [line[3:].partition(": ")[::2] for line in lines[:size]]
    calls = [re.fullmatch(r"([\w.]+)\((.*)\)", value) for key, value in pairs if key == "call"]
    differs = [re.fullmatch(r"([0-2]) (.+)", value) for key, value in pairs if key == "differs"]
    found = [match for match in calls if match]
    marks = [match for match in differs if match]
    if len(found) != CALLS or len(found) + len(marks) != len(pairs):
        raise DataError(
            f"{name}: the header is not {CALLS} lines '// call: f(..)', then '// differs: 0 reason'"
        )
    rest = "\n".join(lines[size:])
    return Twin([(match[1], match[2]) for match in found], rest, {int(m[1]): m[2] for m in marks})


def missing_library(problem: Problem) -> str:
    """Return the name of the library that the problem needs and that is not installed, else ""."""
    family = problem.about["family"]
    return family if family in OPTIONAL and importlib.util.find_spec(family) is None else ""


def folder_of(data: str) -> Traversable:
    """Return the packaged folder for "", else the folder at that path. UserError if there is none."""
    if not data:
        return files("deskcheck.benchmarks").joinpath("core_problems")
    if not Path(data).is_dir():
        raise UserError(f"no folder of problem files at '{data}'; leave out --data for the shipped ones")
    return Path(data)


def problems(folder: Traversable) -> list[Problem]:
    """Read all problem files of a folder, ordered by number. DataError names the file with a mistake."""
    numbered = [(int(match[1]), file) for file in folder.iterdir() if (match := _FILE.fullmatch(file.name))]
    if not numbered:
        raise DataError(f"{folder}: holds no problem files (NN-name.py)")
    if len({number for number, _ in numbered}) < len(numbered):
        raise DataError(f"{folder}: two problem files have the same number")
    return [
        parse_problem(file.name.removesuffix(".py"), file.read_text(encoding="utf-8"))
        for _, file in sorted(numbered, key=lambda pair: pair[0])
    ]


def recorded_answers(folder: Traversable) -> dict[str, list[str]]:
    """Map problem names to their recorded answers; return {} if the folder has no answers*.json."""
    answers_of: dict[str, list[str]] = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if not fnmatch(file.name, ANSWERS):
            continue
        try:
            answers = msgspec.json.decode(file.read_bytes(), type=dict[str, list[str]])
        except msgspec.DecodeError as error:
            raise DataError(f"{file.name}: not an object of lists of texts: {error}") from None
        for name, texts in answers.items():
            if len(texts) != CALLS:
                raise DataError(f"{file.name}: '{name}' has {len(texts)} answers instead of {CALLS}")
        answers_of |= answers
    return answers_of


def fingerprint(folder: Traversable, version: int) -> str:
    """Return the sha256 over names and contents of a version's problem files and answers."""
    digest = hashlib.sha256()
    first = VERSIONS[version - 1].last + 1 if version > 1 else 1
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        match = _FILE.fullmatch(file.name)
        inside = match is not None and first <= int(match[1]) <= VERSIONS[version].last
        if inside or file.name == VERSIONS[version].answers:
            content = file.read_bytes()
            digest.update(f"{file.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def parse_problem(name: str, text: str) -> Problem:
    """Parse header and program of one file. DataError if the header has other keys or another order."""
    lines = text.split("\n")
    size = next((n for n, line in enumerate(lines) if not line.startswith("# ")), len(lines))
    pairs = [_header_line(name, number, line) for number, line in enumerate(lines[:size], 1)]
    keys = [key for key, _ in pairs]
    extra = [key for key in EXTRA if key in keys]
    expected = [*HEADER, *extra, *["call"] * CALLS]
    if keys != expected:
        raise DataError(f"{name}.py: the header has {', '.join(keys)}; it should have {', '.join(expected)}")
    about = dict(pairs[: len(HEADER)])
    return Problem(
        name=name,
        about=about,
        control_for=dict(pairs).get("control-for", ""),
        pattern=dict(pairs).get("pattern", ""),
        calls=[_split_call(name, value) for key, value in pairs if key == "call"],
        source="\n".join(lines[size:]),
    )


def _header_line(name: str, number: int, line: str) -> tuple[str, str]:
    key, colon, value = line[2:].partition(": ")
    if not colon or not value.strip():
        raise DataError(f"{name}.py, line {number}: '{line}' is not of the form '# key: value'")
    return key, value


def _split_call(name: str, text: str) -> tuple[str, str]:
    """Split the call "f(3, k=[1])" into ("f", "3, k=[1]")."""
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise DataError(f"{name}.py: the call '{text}' does not parse: {error.msg}") from None
    entry = ast.get_source_segment(text, node.func) if isinstance(node, ast.Call) else None
    if entry is None or not text.startswith(f"{entry}(") or not text.endswith(")"):
        raise DataError(f"{name}.py: the call '{text}' is not of the form 'f(arguments)'")
    return entry, text[len(entry) + 1 : -1]
