"""What the page must draw of a state, written anew from the replay in Python: the second opinion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from deskcheck.records import Event, EventKind, ObjectKind, Trace, ValueKind
from deskcheck.tracing.literal import int_text, scalar
from deskcheck.tracing.replay import FrameState, HeapObject, State, text_of

NAMED = (ObjectKind.FUNCTION, ObjectKind.CLASS, ObjectKind.MODULE, ObjectKind.OPAQUE)
SEQUENCES = (ObjectKind.LIST, ObjectKind.TUPLE, ObjectKind.ARRAY)
MOST = 60
LEAVES = {EventKind.RETURN: "returns", EventKind.RAISE: "raises", EventKind.YIELD: "yields"}


def shortened(text: str) -> str:
    if len(text) <= 240:
        return text
    return f"{text[:160]} … {len(text) - 220:,} more characters … {text[-60:]}"


def name(text: str) -> str:
    """What cannot be printed stands as an escape."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


class Drawing:
    """The drawn texts of one state."""

    def __init__(self, trace: Trace, state: State, event: Event | None, level: str) -> None:
        self.trace, self.state, self.event, self.level = trace, state, event, level

    def is_inline(self, number: int) -> bool:
        kind = ObjectKind(self.trace.objects.kind[number])
        type_name = self.trace.names[self.trace.objects.type[number]]
        if kind is ObjectKind.OPAQUE:  # one with a summary that can change stands among the objects
            return not self.state.numbered(number).entries
        return kind in NAMED or (kind, type_name) in (
            (ObjectKind.TUPLE, "tuple"),
            (ObjectKind.RECORD, "range"),
        )

    def text(self, handle: int, depth: int = 0) -> str:
        trace = self.trace
        kind = ValueKind(trace.values.kind[handle])
        if kind is ValueKind.TRUNCATED:
            what = trace.values.data[handle].decode()
            type_name = trace.names[trace.values.type[handle]]
            return shortened(f"<{type_name}, {trace.values.number[handle]} {what}, not recorded>")
        if kind is ValueKind.OPAQUE:
            return shortened(name(trace.values.data[handle].decode("utf-8", "replace")))
        if kind is not ValueKind.REF:
            value = scalar(trace, handle)
            return shortened(int_text(value) if type(value) is int else repr(value))
        number = trace.values.number[handle]
        if not self.is_inline(number):
            return f"#{number}"
        shape = ObjectKind(trace.objects.kind[number])
        if shape in NAMED:
            shown = name(trace.names[trace.objects.text[number]] or trace.names[trace.objects.type[number]])
            return shortened(f"<{shape.name.lower()} {shown}>")
        item = self.state.numbered(number)
        if shape is ObjectKind.RECORD:
            parts = {text_of(trace, key): self.text(value) for key, value in item.entries.items()}
            step = [] if parts.get("step", "1") == "1" else [parts["step"]]
            return f"range({', '.join([parts.get('start', ''), parts.get('stop', ''), *step])})"
        if depth > 6:
            return "(…)"
        items = [self.text(inner, depth + 1) for inner in item.items[:60]]
        items += [f"… {len(item.items) - 60} more"] if len(item.items) > 60 else []
        return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"

    def is_data(self, key: str, handle: int) -> bool:
        if key.startswith("__") and key.endswith("__"):
            return False
        found = self.state.object(handle)
        return found is None or found.kind is ObjectKind.OPAQUE or found.kind not in NAMED

    def modules(self) -> Iterator[tuple[int, list[tuple[str, int]]]]:
        for file, names in self.state.modules.items():
            kept = [(key, value) for key, value in names.items() if self.is_data(key, value)]
            if kept:
                yield file, kept

    def is_folded(self, number: int) -> bool:
        """Whether one line stands for an object: an iterator, a generator, the wrapper of a cache."""
        kind = ObjectKind(self.trace.objects.kind[number])
        type_name = self.trace.names[self.trace.objects.type[number]]
        return kind in (ObjectKind.ITERATOR, ObjectKind.GENERATOR) or type_name.endswith("_lru_cache_wrapper")

    def unfolded(self, frames: list[FrameState]) -> list[FrameState]:
        """Frames without the middle of a recursion of more than six: three at each end stay."""
        shown: list[FrameState] = []
        chain: list[FrameState] = []
        for frame in [*frames, None]:
            if chain and (frame is None or (frame.code, frame.parent) != (chain[-1].code, chain[-1].number)):
                middle = {each.number for each in chain[3:-3]} if len(chain) > 6 else set()
                shown += [each for each in chain if each.number not in middle - {self.state.running}]
                chain = []
            chain += [frame] if frame is not None else []
        return shown

    def frames(self) -> list[dict[str, Any]]:
        drawn: list[dict[str, Any]] = [
            {"frame": f"g{file}", "names": [[key, self.text(value)] for key, value in names]}
            for file, names in self.modules()
        ]
        live = {frame.number for frame in self.state.frames}
        frames = self.unfolded(self.state.frames)
        drawn += [self.frame(frame) for frame in (frames if len(frames) <= 40 else frames[:5] + frames[-30:])]
        drawn += [self.frame(f, rests=True) for f in self.state.suspended.values() if f.number not in live]
        return drawn

    def frame(self, frame: FrameState, rests: bool = False) -> dict[str, Any]:
        is_class = self.trace.codes[frame.code].kind == "class"
        names = [
            [key, self.text(value)]
            for key, value in frame.bindings.items()
            if key != "__class__" and key[0] != "." and (not is_class or self.is_data(key, value))
        ]
        leaves: list[list[str]] = []
        runs = frame.number == self.state.running and not rests
        if runs and self.event is not None and self.event.value >= 0 and self.event.kind in LEAVES:
            leaves = [[LEAVES[self.event.kind], self.text(self.event.value)]]
        return {
            "frame": str(frame.number),
            "line": frame.line,
            "rests": rests,
            "names": names,
            "iterators": [self.iterator(handle) for handle in frame.iterators],
            "stack": [self.text(h) for h in frame.stack] if self.level == "instruction" else [],
            "leaves": leaves,
        }

    def iterator(self, handle: int) -> str:
        found = self.state.object(handle)
        if found is None or found.kind is not ObjectKind.ITERATOR:
            return self.text(handle)
        parts = {text_of(self.trace, key): self.text(value) for key, value in found.entries.items()}
        sources = ", ".join(value for key, value in parts.items() if key.startswith("source"))
        return (sources or found.type) + (f" at {parts['position']}" if "position" in parts else "")

    # -------------------------------------------------------------- objects

    def numbers(self) -> set[int]:
        """Objects that live names lead to."""
        values, state = self.trace.values, self.state
        waiting: list[int] = [value for _, names in self.modules() for _, value in names]
        frames = [*state.frames, *state.suspended.values()]
        for frame in frames:
            waiting += [value for key, value in frame.bindings.items() if key[0] != "."]
            waiting += frame.stack if self.level == "instruction" else []
        for frame in state.frames:
            for handle in frame.iterators:
                found = state.object(handle)
                is_plain = found is not None and found.kind is not ObjectKind.GENERATOR
                waiting += found.entries.values() if found is not None and is_plain else []
        if self.event is not None and self.event.value >= 0:
            waiting.append(self.event.value)
        if self.event is None:
            waiting.append(getattr(self.trace.outcome, "value", -1))
        seen: set[int] = set()
        while waiting:
            handle = waiting.pop()
            if handle < 0 or values.kind[handle] != ValueKind.REF or values.number[handle] in seen:
                continue
            number = values.number[handle]
            seen.add(number)
            item = state.numbered(number)
            if item.kind not in NAMED and (item.kind is ObjectKind.ITERATOR or not self.is_folded(number)):
                keys = list(item.entries) if item.kind is ObjectKind.DICT else []
                waiting += [*item.items, *keys, *item.entries.values(), *item.attributes.values()]
        return {number for number in seen if not self.is_inline(number)}

    def object(self, number: int) -> tuple[list[list[str]], list[list[str]]]:
        """Its cells and its fields, all of them."""
        item = self.state.numbered(number)
        if item.kind in SEQUENCES or (item.items and not item.entries):
            return [[str(at), self.text(h)] for at, h in enumerate(item.items)], self.attributes(item)
        if item.kind in (ObjectKind.SET, ObjectKind.FROZENSET):
            return [["", self.text(h)] for h in item.entries], self.attributes(item)
        is_dict = item.kind is ObjectKind.DICT
        fields = [
            [self.text(key) if is_dict else name(text_of(self.trace, key)), self.text(value)]
            for key, value in item.entries.items()
        ]
        return [], [*fields, *self.attributes(item)]

    def attributes(self, item: HeapObject) -> list[list[str]]:
        return [
            [f".{name(text_of(self.trace, key))}", self.text(value)] for key, value in item.attributes.items()
        ]


def differences(drawn: dict[str, Any], wanted: Drawing) -> list[str]:
    """What the page draws otherwise than the replay says; empty = nothing."""
    faults = []
    frames = wanted.frames()
    mine = [{key: frame[key] for key in want} for frame, want in zip(drawn["frames"], frames, strict=False)]
    if mine != frames or len(drawn["frames"]) != len(frames):
        faults.append(f"frames: {drawn['frames']} != {frames}")
    numbers = wanted.numbers()
    shown = {item["number"] for item in drawn["objects"]}
    if shown != numbers and not (len(numbers) > 40 and shown < numbers):
        faults.append(f"objects: {sorted(shown)} != {sorted(numbers)}")
    for item in drawn["objects"]:
        cells, fields = wanted.object(item["number"])
        size = len(wanted.state.numbered(item["number"]).items) or len(
            wanted.state.numbered(item["number"]).entries
        )
        n_shown = len(item["cells"]) + len(item["fields"]) + item["hidden"]
        if item["size"] != size or n_shown != len(cells) + len(fields):
            faults.append(f"object {item['number']}: {n_shown} of {len(cells) + len(fields)}, size {size}")
        if not all(cell in cells for cell in item["cells"]) or not all(f in fields for f in item["fields"]):
            faults.append(f"object {item['number']}: {item['cells']} {item['fields']} != {cells} {fields}")
        if not item["hidden"] and (item["cells"] != cells or item["fields"] != fields):
            faults.append(f"object {item['number']}: {item['cells']} {item['fields']} != {cells} {fields}")
    return faults
