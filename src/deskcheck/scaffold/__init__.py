"""Write the files of a new plug-in, for `deskcheck new`: its module, the rows of its tests, its page.

    write_new("benchmark", "maps", Path())    -> [src/deskcheck/benchmarks/maps.py, tests/.., docs/..]
    make_pages("strategy", "two-looks", Path())    -> "" if a script made the page, or the reason why not

The new files work at once: a benchmark of three rows, a strategy that asks once or steps in a layout, a
question about the number of executed lines, a layout of one step per example, a language of two operations.
Existing files are never overwritten. The tests find strategies, questions and layouts by themselves. Only a
benchmark needs rows for its tests, and a language needs a program. A benchmark or a question also gets a row
in a page of docs/. Scripts of docs/ and tests/ generate the pages that hold a prompt or an example. In a
package of your own, only the module is written, beside the package's `__init__.py`; an entry point names it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from keyword import iskeyword
from pathlib import Path

from msgspec import Struct

from deskcheck.errors import UserError
from deskcheck.plugins import FOLDERS
from deskcheck.scaffold.texts import (
    BENCHMARK,
    BENCHMARK_ROW,
    BENCHMARKS_PAGE,
    LANGUAGE,
    LANGUAGE_PROGRAM,
    LAYOUT,
    PAGE,
    QUESTION,
    QUESTION_ROW,
    QUESTIONS_PAGE,
    ROWS,
    STEPPING,
    STRATEGY,
    SUMMARY,
    TRACER,
)

_UNNAMED = ("layout", "strategy", "question")
"""Kinds of plug-ins whose names must not stand in quotes in deskcheck's code outside the plug-ins."""
MOST_LETTERS = 40
"""Length of a name: with more letters the first lines of the new files would be too long."""


class Kind(Struct, frozen=True):
    """Files that `deskcheck new` writes for one kind of plug-in, and their tests. Texts may hold {name}."""

    folder: str
    """Folder of the package, and group of entry points."""
    module: str
    """Text of the new module, which works as it stands."""
    tests: str
    """Files and folders of tests that run for every plug-in of the kind, separated by spaces."""
    more: dict[str, str] = {}
    """Folder -> text of a further module of the same name."""
    stepping: str = ""
    """Text of the module if `--layout` names a layout; "" = the option is refused."""
    texts: dict[str, str] = {}
    """Path -> text of further new files."""
    row: tuple[str, str] = ("", "")
    """Page that lists all plug-ins of the kind in its first table, and the new row; "" = none."""
    page_script: tuple[str, ...] = ()
    """Arguments of `python` for the script that writes the page of the plug-in; () = there is none."""


KINDS = {
    "benchmark": Kind(
        "benchmarks",
        BENCHMARK,
        "tests/benchmarks tests/evaluation/test_pairs.py",
        texts={
            "tests/benchmarks/rows_of/{name}.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS),
            "docs/benchmarks/{name}.md": PAGE,
        },
        row=(BENCHMARKS_PAGE, BENCHMARK_ROW),
        page_script=(
            *("-m", "pytest", "-q", "tests/benchmarks/test_pages.py"),
            *("-k", "[{name}]", "--update-golden"),
        ),
    ),
    "question": Kind(
        "questions",
        QUESTION,
        "tests/questions tests/benchmarks/test_contract.py",
        row=(QUESTIONS_PAGE, QUESTION_ROW),
    ),
    "summary": Kind("summaries", SUMMARY, "tests/summaries"),
    "language": Kind(
        "languages",
        LANGUAGE,
        "tests/languages/test_every_language.py",
        more={"tracers": TRACER},
        texts={"tests/languages/programs_of/{name}.json": LANGUAGE_PROGRAM},
    ),
    "layout": Kind(
        "layouts",
        LAYOUT,
        "tests/layouts tests/training/test_every_layout.py",
        page_script=("docs/make_reference.py",),
    ),
    "strategy": Kind(
        "strategies",
        STRATEGY,
        "tests/strategies tests/evaluation/test_pairs.py",
        stepping=STEPPING,
        page_script=("docs/make_strategies.py",),
    ),
}
"""Kind, as it is typed -> what is written for it."""


def write_new(kind: str, name: str, root: Path, *, layout: str = "") -> list[Path]:
    """Write the files into `root`, a checkout or a package of the user's own; return their paths.

    `kind` is a key of KINDS; `name` is the plug-in's name with dashes. `layout`: layout of a strategy that
    asks step by step; "" = it asks once. UserError if the files cannot be written so.
    """
    if kind not in KINDS:
        raise UserError(f"no kind of plug-in called '{kind}'; known: {', '.join(KINDS)}")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > MOST_LETTERS or iskeyword(name):
        raise UserError(
            f"'{name}' is no name: write small letters, digits and '-', at most {MOST_LETTERS} in all, "
            "and no keyword of Python"
        )
    wanted = KINDS[kind]
    if layout and not wanted.stepping:
        raise UserError(f"--layout belongs to a strategy that steps, not to a {kind}")
    is_checkout = _is_checkout(root)
    if not is_checkout and not (root / "__init__.py").is_file():
        raise UserError(
            f"{root.resolve()} is no checkout of deskcheck, and no package of your own: it has no "
            "__init__.py; change to one of them and run the same command"
        )
    texts = _modules(wanted, name, root, layout)
    if is_checkout:
        _refuse_a_word(kind, name, root / "src" / "deskcheck")
        for place, text in wanted.texts.items():
            texts[root / place.format(name=name)] = text if ".json" in place else text.format(name=name)
    there = [path for path in texts if path.exists()]
    if there:
        raise UserError(f"{there[0]} is there already; nothing was written")
    page, row = wanted.row
    if page and is_checkout:
        texts[root / page] = _with_row(root / page, row.format(name=name))
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(texts)


def _refuse_a_word(kind: str, name: str, package: Path) -> None:
    """Raise UserError if the core has the name in quotes, which tests/test_plugin_names.py would refuse."""
    if kind not in _UNNAMED:
        return
    quoted = re.compile(rf"""(["']){name}\1""")
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package).parts
        if inside[0] in FOLDERS.values() or "written" in inside[:-1]:
            continue
        if match := quoted.search(text := path.read_text(encoding="utf-8")):
            line = text.count("\n", 0, match.start()) + 1
            raise UserError(
                f"'{name}' is a word of {'/'.join(inside)}, line {line}, and a test would take it for the "
                f"name of the {kind}; choose another, such as 'my-{name}'; nothing was written"
            )


def _is_checkout(root: Path) -> bool:
    return (root / "src" / "deskcheck" / "plugins.py").is_file()


def _modules(wanted: Kind, name: str, root: Path, layout: str) -> dict[Path, str]:
    """Return path -> text of the modules; UserError for a strategy in a layout that is not there."""
    text, origin = wanted.module, ""
    if layout:
        text, origin = wanted.stepping, _origin(layout, root)
    words = {"name": name, "layout": layout, "origin": origin}
    return {
        path: each.format(**words)
        for path, each in zip(
            _places(wanted, name, root).values(), [text, *wanted.more.values()], strict=True
        )
    }


def _places(wanted: Kind, name: str, root: Path) -> dict[str, Path]:
    """Return folder of the package, which is also the group of entry points -> path of the module."""
    file = name.replace("-", "_")
    folders = [wanted.folder, *wanted.more]
    if _is_checkout(root):
        return {folder: root / "src" / "deskcheck" / folder / f"{file}.py" for folder in folders}
    return {
        folder: root / f"{file}_{folder}.py" if folder in wanted.more else root / f"{file}.py"
        for folder in folders
    }


def _origin(layout: str, root: Path) -> str:
    """Return the module of a layout. UserError if it is neither in this folder nor in the package."""
    file = layout.replace("-", "_")
    if not _is_checkout(root) and (root / f"{file}.py").is_file():
        return f"{_dotted(root)}.{file}"
    package = root / "src" / "deskcheck" if _is_checkout(root) else Path(__file__).parents[1]
    if not (package / "layouts" / f"{file}.py").is_file():
        raise UserError(f"no layout called '{layout}' here; write it first: deskcheck new layout {layout}")
    return f"deskcheck.layouts.{file}"


def _dotted(package: Path) -> str:
    """Return the name by which a package is imported: "ours", or "ours.plugins" inside another package."""
    package = package.resolve()
    parent = f"{_dotted(package.parent)}." if (package.parent / "__init__.py").is_file() else ""
    return parent + package.name


def _with_row(page: Path, row: str) -> str:
    """Return the page with one more row at the end of its first table."""
    lines = page.read_text(encoding="utf-8").split("\n") if page.is_file() else []
    ends = [n for n, line in enumerate(lines) if line.startswith("|") and not lines[n + 1].startswith("|")]
    if not ends:
        raise UserError(f"{page} holds no table, so there is no place for a new row")
    return "\n".join([*lines[: ends[0] + 1], row, *lines[ends[0] + 1 :]])


def make_pages(kind: str, name: str, root: Path) -> str:
    """Generate the page that shows the new plug-in's prompts or examples.

    Return "", or one line with the reason of a failure and the command to repeat.
    """
    words = [word.format(name=name) for word in KINDS[kind].page_script]
    if not words or (root / "__init__.py").is_file():  # of another package, whose pages are its own
        return ""
    paths = [str(root.resolve() / "src"), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, *words],
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        capture_output=True,
        text=True,
        check=False,
    )
    if not done.returncode:
        return ""
    last = (done.stderr.strip() or done.stdout.strip() or "no output").splitlines()[-1]
    return f"the page was not made: {last}; run: {_python()} {' '.join(words)}"


def next_step(kind: str, name: str, root: Path) -> str:
    """Return the command that tests the new plug-in; in a package of your own, the lines that register it."""
    if _is_checkout(root):
        return f"{_python()} -m pytest -q {KINDS[kind].tests} -k {name}"
    lines = ["add to pyproject.toml, then install the package again (pip install -e .):"]
    for group, path in _places(KINDS[kind], name, root).items():
        lines.append(f'[project.entry-points."deskcheck.{group}"]')
        lines.append(f'{name} = "{_dotted(root)}.{path.stem}"')
    return "\n".join(lines)


def _python() -> str:
    """Return the command of the running Python: its path if it lies below this folder, else "python"."""
    path = Path(sys.executable)
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else "python"
