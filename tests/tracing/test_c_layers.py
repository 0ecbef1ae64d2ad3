"""The layers of the native tracer, read from its #include lines: no circle, one header, five files at most.

A layer is a folder below tracing/native/. `core` holds headers alone: what the versions of CPython differ in,
the columns' numbers, and the structs of all layers. In native/ itself lies what Python imports.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "src" / "deskcheck" / "tracing" / "native"
CORE = "core"
"""The layer of headers alone."""
DECLARED = r"^(?!static|typedef)(?:extern )?[A-Za-z][\w *]*\(.*\);"
"""A function that a C file declares by itself, where a header of a layer below should."""


def layers(folder: Path) -> dict[str, list[Path]]:
    """C files and headers of each folder, "" for the folder itself."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.rglob("*.[ch]")):
        layer = path.relative_to(folder).parent.as_posix()
        found.setdefault("" if layer == "." else layer, []).append(path)
    return found


def faults(folder: Path) -> list[str]:
    """What is wrong: too many files or headers, an include of none's, a circle, a way past the headers."""
    found = layers(folder)
    said = []
    edges: dict[str, set[str]] = {layer: set() for layer in found}
    for layer, paths in found.items():
        n_sources, n_headers = (sum(path.suffix == end for path in paths) for end in (".c", ".h"))
        if layer == CORE:
            said += [f"{layer}: {n_sources} C files; headers alone are meant"] * bool(n_sources)
        elif n_sources > 5 or n_headers != bool(layer):
            said.append(f"{layer}: {n_sources} C files and {n_headers} headers; five and one are meant")
        for path in paths:
            text = path.read_text(encoding="utf-8")
            if layer and path.suffix == ".c":
                said += [f"{path.name} declares {line!r}" for line in re.findall(DECLARED, text, re.M)]
            for name in re.findall(r'#include "([^"]+)"', text):
                target = (path.parent / name).resolve()
                if not target.is_file():
                    if not name.startswith("internal/"):  # CPython's own
                        said.append(f"{path.name} includes {name}, which is nowhere")
                    continue
                parent = target.parent.relative_to(folder.resolve()).as_posix()
                to = "" if parent == "." else parent
                if to != layer:
                    edges[layer].add(to)
    reached = dict(edges)
    for _ in found:
        reached = {layer: to.union(*(edges[one] for one in to)) for layer, to in reached.items()}
    said += [f"{layer or 'tracing'} is above and below itself" for layer in found if layer in reached[layer]]
    return said


def test_layers_have_one_header_five_files_and_no_circle() -> None:
    assert len(layers(FOLDER)) == 13
    assert faults(FOLDER) == []


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
        ({"core/core.h": "", "core/core.c": ""}, "headers alone"),
        ({"low/low.h": "", "low/low.c": "int high_look(Tracer *t);\n"}, "declares"),
    ],
)
def test_faults_are_found(files: dict[str, str], fault: str, tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert any(fault in said for said in faults(tmp_path)), faults(tmp_path)
