"""The layers of the native tracer, read from its #include lines: no circle, one header, five files at most.

A layer is a folder below tracing/ that holds C files. What is not cut yet lies in tracing/ itself: there no
number of files is held, and a layer includes only CORE_HEADERS of it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "src" / "deskcheck" / "tracing"
CORE_HEADERS = {"columns.h"}
"""Of tracing/ itself, what layers may include: it includes nothing."""


def layers(folder: Path) -> dict[str, list[Path]]:
    """C files and headers of each folder, "" for what is not cut."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.rglob("*.[ch]")):
        layer = path.relative_to(folder).parent.as_posix()
        found.setdefault("" if layer == "." else layer, []).append(path)
    return found


def faults(folder: Path) -> list[str]:
    """What is wrong with the layers: too many files or headers, an include of none's, a circle."""
    found = layers(folder)
    said = []
    edges: dict[str, set[str]] = {layer: set() for layer in found}
    for layer, paths in found.items():
        n_sources, n_headers = (sum(path.suffix == end for path in paths) for end in (".c", ".h"))
        if layer and (n_sources > 5 or n_headers != 1):
            said.append(f"{layer}: {n_sources} C files and {n_headers} headers; five and one are meant")
        for path in paths:
            for name in re.findall(r'#include "([^"]+)"', path.read_text(encoding="utf-8")):
                target = (path.parent / name).resolve()
                if not target.is_file():
                    if not name.startswith("internal/"):  # CPython's own
                        said.append(f"{path.name} includes {name}, which is nowhere")
                    continue
                parent = target.parent.relative_to(folder.resolve()).as_posix()
                to = "" if parent == "." else parent
                if to != layer and not (to == "" and target.name in CORE_HEADERS):
                    edges[layer].add(to)
    reached = dict(edges)
    for _ in found:
        reached = {layer: to.union(*(edges[one] for one in to)) for layer, to in reached.items()}
    said += [f"{layer or 'tracing'} is above and below itself" for layer in found if layer in reached[layer]]
    return said


def test_layers_have_one_header_five_files_and_no_circle() -> None:
    assert "checks" in layers(FOLDER)
    assert faults(FOLDER) == []


def test_what_layers_may_include_includes_nothing() -> None:
    for name in CORE_HEADERS:
        assert '#include "' not in (FOLDER / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({f"low/{name}.c": "" for name in "abcdef"} | {"low/low.h": ""}, "6 C files"),
        ({"low/low.h": "", "low/more.h": ""}, "2 headers"),
        (
            {"low/low.h": '#include "../high/high.h"', "high/high.h": '#include "../low/low.h"'},
            "below itself",
        ),
        ({"core.h": '#include "low/low.h"', "low/low.h": '#include "../core.h"'}, "below itself"),
        ({"low/low.h": '#include "none.h"'}, "nowhere"),
    ],
)
def test_faults_are_found(files: dict[str, str], fault: str, tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert any(fault in said for said in faults(tmp_path)), faults(tmp_path)
