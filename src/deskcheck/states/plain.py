"""Write a value like its repr: without labels, shared objects in full, and "..." for a value inside itself.

    plain_text(read_value("#1[#2[0], #2]"), {}) -> "[[0], [0]]"

`labelled` maps the labels seen so far to their objects; pass one dict for all values of a state, in order.
"""

from __future__ import annotations

from deskcheck.states.tree import StateTree, Value, is_built


def plain_text(value: Value, labelled: dict[int, Value]) -> str:
    """Write one value without labels."""
    return str(_plain(value, labelled, frozenset()))


def plain_locals(state: StateTree) -> dict[str, str]:
    """Return the variables of the running frame as texts, without iterators and temporaries."""
    labelled: dict[int, Value] = {}
    texts: dict[str, str] = {}
    for value in state.module.values():
        plain_text(value, labelled)
    for frame in state.frames:
        texts = {name: plain_text(value, labelled) for name, value in frame.entries.items()}
    return {name: text for name, text in texts.items() if name[0] not in "~^"}


def is_plain(value: Value) -> bool:
    """Whether a literal can express the whole value."""
    if is_built(value):
        return all(map(is_plain, value.items))
    typed = value.text and value.kind not in ("literal", "set")
    return value.kind not in ("opaque", "call", "label") and not typed and all(map(is_plain, value.items))


def _plain(value: Value, labelled: dict[int, Value], open_: frozenset[int]) -> Value:
    """Return the value without labels; `open_` has the labels of the objects around it."""
    if value.kind == "label":
        if value.label in open_ or value.label not in labelled:
            return Value("literal", "...")
        value = labelled[value.label]
    if value.label:
        labelled[value.label] = value
        open_ |= {value.label}
    items = tuple(_plain(item, labelled, open_) for item in value.items)
    return Value(value.kind, value.text, 0, items, value.names, value.position)
