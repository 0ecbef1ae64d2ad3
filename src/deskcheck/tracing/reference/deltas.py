"""Write the changes of a container since the last event into the trace's columns.

    update_list(heap, entry, items)       SET, INSERT and DELETE between the common prefix and suffix
    update_dict(heap, entry, items)       keeps the order: a key that moved to the end is deleted and re-set
    update_set(heap, entry, members)      removed members by handle, added ones in canonical order

Each also updates the entry: its handles, and its pins, the scalars that it keeps alive so that no other
object takes their addresses.
"""

from __future__ import annotations

from deskcheck.records import Op, Place
from deskcheck.tracing.readers import canonical
from deskcheck.tracing.reference.entries import Entry, HeapPart


def update_list(heap: HeapPart, entry: Entry, items: list[object]) -> None:
    """Write the ELEMENT changes of a sequence."""
    now = [heap.handle(item) for item in items]
    write_changes(heap, Place.ELEMENT, entry.number, entry.items, now)
    entry.items = now
    _renew(heap, entry, items, now)


def write_changes(heap: HeapPart, place: Place, owner: int, old: list[int], new: list[int]) -> None:
    """Write the changes that turn one list of handles into another."""
    # (place, owner, key, index, op, value); -1 where a change has no key, index or value
    change = heap.columns.add_change
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
            change(place, owner, -1, index, Op.SET, new[index])
    for index in range(end_old - 1, start + shared - 1, -1):
        change(place, owner, -1, index, Op.DELETE, -1)
    for index in range(start + shared, end_new):
        change(place, owner, -1, index, Op.INSERT, new[index])


def update_dict(heap: HeapPart, entry: Entry, items: list[tuple[object, object]]) -> None:
    """Write the KEY changes of a dictionary, so that replay gives its insertion order."""
    handle = heap.handle
    # Two keys can share a handle (two NaNs, two cut texts): the later one represents both.
    now = {handle(key): handle(value) for key, value in items}
    keys, values = list(now), list(now.values())
    change = heap.columns.add_change
    number = entry.number
    old_keys, old_values = entry.keys, dict(zip(entry.keys, entry.items, strict=True))
    n_same = 0
    for key in old_keys:
        if n_same < len(keys) and keys[n_same] == key:
            n_same += 1
        else:
            change(Place.KEY, number, key, -1, Op.DELETE, -1)
    for index, (key, value) in enumerate(zip(keys, values, strict=True)):
        if index >= n_same or old_values[key] != value:
            change(Place.KEY, number, key, -1, Op.SET, value)
    entry.keys, entry.items = keys, values
    _renew(heap, entry, [part for item in items for part in item], keys + values)


def update_set(heap: HeapPart, entry: Entry, members: list[object]) -> None:
    """Write the MEMBER changes of a set."""
    if len(members) > 1:
        members.sort(key=canonical)
    new = list(dict.fromkeys(heap.handle(member) for member in members))
    change = heap.columns.add_change
    before, now = set(entry.items), set(new)
    for member in sorted(before - now):
        change(Place.MEMBER, entry.number, member, -1, Op.DELETE, -1)
    for member in new:
        if member not in before:
            change(Place.MEMBER, entry.number, member, -1, Op.SET, member)
    entry.items = new
    _renew(heap, entry, members, new)


def _renew(heap: HeapPart, entry: Entry, objects: list[object], handles: list[int]) -> None:
    """Update the pins, and note whether the limits cut a part; the object is then read at each event."""
    pins = [item for item in objects if id(type(item)) in heap.scalars]
    entry.pins = pins
    entry.scalars_only = len(pins) == len(objects)
    entry.cut = len(pins) + sum(map(heap.is_reference, handles)) < len(objects)
