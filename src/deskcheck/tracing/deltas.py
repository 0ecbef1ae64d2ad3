"""Write the difference between a container as it was and as it is.

    update_list(heap, entry, raw, items)      common prefix and suffix; SET, INSERT, DELETE between them
    update_dict(heap, entry, items)           order-faithful: a key that moved to the end is deleted and set
    again update_set(heap, entry, members)          removed and added members, in canonical order

Each also renews what the entry knows: handles, the children to look into, the scalars that are held.
"""

from __future__ import annotations

from deskcheck.records import Op, Place
from deskcheck.tracing.entries import Entry, Recording
from deskcheck.tracing.values import canonical

_POINTER = 8  # bytes of an address


def update_list(heap: Recording, entry: Entry, raw: object, items: list[object]) -> None:
    """ELEMENT changes of a sequence; `raw` are its addresses, compared to the ones before."""
    old = entry.items
    start, end_old, end_new = 0, len(old), len(items)
    if (
        type(raw) is bytes
        and type(entry.raw) is bytes
        and entry.shape.base in (list, tuple)
        and entry.scalars_only
    ):
        start = _common(entry.raw, raw, min(end_old, end_new))
        tail = min(end_old, end_new) - start
        tail = _common_end(entry.raw, raw, tail)
        end_old, end_new = end_old - tail, end_new - tail
    handle = heap.handle
    middle = [handle(item) for item in items[start:end_new]]
    diff(heap, Place.ELEMENT, entry.number, old[start:end_old], middle, offset=start)
    entry.items = old[:start] + middle + old[end_old:]
    _renew(heap, entry, items, entry.items)


def diff(
    heap: Recording, place: Place, owner: int, old: list[int], new: list[int], *, offset: int = 0
) -> None:
    """Changes that turn one list of handles into another."""
    change = heap.columns.change
    start = 0
    end_old, end_new = len(old), len(new)
    while start < end_old and start < end_new and old[start] == new[start]:
        start += 1
    while end_old > start and end_new > start and old[end_old - 1] == new[end_new - 1]:
        end_old -= 1
        end_new -= 1
    shared = min(end_old, end_new) - start
    for index in range(start, start + shared):
        if old[index] != new[index]:
            change(place, owner, -1, offset + index, Op.SET, new[index])
    for index in range(end_old - 1, start + shared - 1, -1):
        change(place, owner, -1, offset + index, Op.DELETE, -1)
    for index in range(start + shared, end_new):
        change(place, owner, -1, offset + index, Op.INSERT, new[index])


def update_dict(heap: Recording, entry: Entry, items: list[tuple[object, object]]) -> None:
    """KEY changes of a dictionary, so that replay gives its insertion order."""
    handle = heap.handle
    # Two keys can share a row (two NaNs, two texts that were cut): the later one stands for both.
    now = {handle(key): handle(value) for key, value in items}
    keys, values = list(now), list(now.values())
    change = heap.columns.change
    number = entry.number
    old_keys, old_values = entry.keys, dict(zip(entry.keys, entry.items, strict=True))
    kept = 0
    for key in old_keys:
        if kept < len(keys) and keys[kept] == key:
            kept += 1
        else:
            change(Place.KEY, number, key, -1, Op.DELETE, -1)
    for index, (key, value) in enumerate(zip(keys, values, strict=True)):
        if index >= kept or old_values[key] != value:
            change(Place.KEY, number, key, -1, Op.SET, value)
    entry.keys, entry.items = keys, values
    _renew(heap, entry, [part for item in items for part in item], keys + values)


def update_set(heap: Recording, entry: Entry, members: list[object]) -> None:
    """MEMBER changes of a set."""
    if len(members) > 1:
        members.sort(key=canonical)
    new = list(dict.fromkeys(heap.handle(member) for member in members))
    change = heap.columns.change
    before, now = set(entry.items), set(new)
    for member in entry.items:
        if member not in now:
            change(Place.MEMBER, entry.number, member, -1, Op.DELETE, -1)
    for member in new:
        if member not in before:
            change(Place.MEMBER, entry.number, member, -1, Op.SET, member)
    entry.items = new
    _renew(heap, entry, members, new)


def _renew(heap: Recording, entry: Entry, objects: list[object], handles: list[int]) -> None:
    """Children and held scalars after a change."""
    scalars = heap.scalars
    of_handle = heap.entry_of
    pins = [item for item in objects if id(type(item)) in scalars]
    entry.pins = pins
    entry.scalars_only = len(pins) == len(objects)
    if entry.scalars_only:
        entry.kids = []
        entry.cut = False
        return
    kids = (of_handle(handle) for handle in handles)
    entry.kids = list(dict.fromkeys(kid for kid in kids if kid is not None))
    # Something that is neither a scalar nor a child was too deep or too much: look again next time.
    entry.cut = len(pins) + sum(of_handle(handle) is not None for handle in handles) < len(objects)


def _common(old: bytes, new: bytes, limit: int) -> int:
    """Number of equal addresses at the beginning."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if old[low * _POINTER : middle * _POINTER] == new[low * _POINTER : middle * _POINTER]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(old: bytes, new: bytes, limit: int) -> int:
    """Number of equal addresses at the end."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if old[len(old) - middle * _POINTER :] == new[len(new) - middle * _POINTER :]:
            low = middle
        else:
            high = middle - 1
    return low
