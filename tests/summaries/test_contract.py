"""Every file of summaries/ holds summaries of types by their full names; another package can add one."""

from __future__ import annotations

import importlib
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.summaries.programs import PROGRAMS
from tests.summaries.test_every_step import ready
from tests.tracing.test_native import same

import deskcheck
from deskcheck import plugins, summaries
from deskcheck.records import Limits, ObjectKind
from deskcheck.summaries import MOST_CHARACTERS, Look, Summary
from deskcheck.tracing import access, reference, run
from deskcheck.tracing.program import make_program
from deskcheck.tracing.shapes import Shapes, full_name

SOURCE = Path(__file__).with_name("programs.py").read_text()


@pytest.mark.parametrize("name", plugins.names("summary"))
def test_a_file_of_summaries_names_types_in_full(name: str):
    module = plugins.load("summary", name)
    shapes = Shapes(access.Access(native=False), "__main__")
    assert module.__doc__ and module.SUMMARIES
    for full, summary in module.SUMMARIES.items():
        place, _, last = full.rpartition(".")
        assert isinstance(summary, Summary) and last
        try:
            kind = getattr(importlib.import_module(place or "builtins"), last, None)
        except ImportError:
            continue  # the library is not installed here
        if kind is not None and shapes.type_name(kind) == full and not summary.with_subclasses:
            assert summaries.summary_of(kind, full_name) is summary


PLAIN = [p for p in PROGRAMS if p.__name__ not in ("locks", "sockets", "attrs_classes")]


@pytest.mark.parametrize("program", PLAIN, ids=lambda p: p.__name__)
@pytest.mark.skipif(not access.has_native(), reason="two tracers need the native one")
def test_both_tracers_record_the_same_summaries(
    program: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    ready(program, tmp_path, monkeypatch)
    program()
    made = make_program(SOURCE, program.__name__, "", origin="test")
    native = run.trace_program(made, Limits(), tracer="native")
    same(reference.trace_program(made, Limits()), native)
    assert any(kind == ObjectKind.OPAQUE for kind in native.objects.kind) or any(native.objects.text)


def test_another_package_adds_a_summary_and_a_long_one_is_cut(monkeypatch: pytest.MonkeyPatch):
    class Box:
        def __init__(self) -> None:
            self.size = 1

    name = full_name(Box)
    written = Summary(
        lambda box, look: f"size {look.text(look.attribute(box, 'size'))}" * look.attribute(box, "size")
    )
    module = SimpleNamespace(SUMMARIES={name: written})
    point = EntryPoint("boxes", "boxes_of_tests", "deskcheck.summaries")
    monkeypatch.setattr(plugins, "_points", lambda folder: (point,) if folder == "summaries" else ())
    monkeypatch.setattr(EntryPoint, "load", lambda self: module)
    monkeypatch.setattr(summaries, "_FOUND", {})
    monkeypatch.setattr(summaries, "is_named", lambda kind, name, full: full(kind) == name)

    def use() -> None:
        box = Box()
        box.size += 1
        box.size = 1000
        return None

    steps = deskcheck.trace(use).steps
    texts = [repr(step.locals.get("box")) for step in steps if "box" in step.locals]
    assert texts[0] == f"<{Box.__qualname__} size 1>"
    assert texts[1] == f"<{Box.__qualname__} size 2size 2>"
    assert len(texts[2]) == len(f"<{Box.__qualname__} >") + MOST_CHARACTERS and texts[2].endswith("…>")


def test_what_cannot_be_read_is_shown_by_its_type():
    def fail(value: object, look: Look) -> str:
        raise ValueError(value)

    shapes = Shapes(access.Access(native=False), "__main__")
    shape = shapes._summarized(shapes.of(object()), object)
    assert not shape.is_summary
    from deskcheck.tracing import shapes as module

    write = module._guarded(Summary(fail), shapes._look)
    assert write(3) == ""
    assert module._guarded(Summary(lambda value, look: 3), shapes._look)(3) == ""  # type: ignore[arg-type, return-value]  # a wrong plug-in


TIMES = [
    *(("datetime64", "2020-01-02", unit) for unit in 
      ("Y", "M", "W", "D", "h", "m", "s", "ms", "ns", "25s", "3D", "as")),
    *(("timedelta64", 3, unit) for unit in ("", "Y", "D", "s", "25s", "10ms", "ns")),
    *((kind, "NaT", unit) for kind in ("datetime64", "timedelta64") for unit in ("", "D", "ns", "25s")),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "value", "unit"), TIMES)
def test_the_text_of_a_date_or_a_span_evaluates_to_it(kind: str, value: str | int, unit: str):
    np = pytest.importorskip("numpy")
    time = getattr(np, kind)("1970-01-01" if unit == "as" else value, *([unit] if unit else []))
    look = Shapes(access.Access(native=False), "__main__")._look
    text = plugins.load("summary", "numpy").scalar(time, look)
    again = eval(text.replace("numpy.", "np."), {"np": np})
    assert again.dtype == time.dtype, text
    assert again == time or (np.isnat(again) and np.isnat(time)), text
