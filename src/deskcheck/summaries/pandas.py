"""Describe frames and series of pandas by size, columns and head, indexes by their first labels.

    pandas.DataFrame -> "3 rows x 2 columns: a int64 [1, 2, 3]; b str ['x', 'y', nan]; content 5a1f09c2"
    pandas.Series    -> "'n' int64 (2,): 1, 2; index 'u', 'v'; content 5a1f09c2"
    pandas.Timestamp -> "Timestamp('2020-01-02 00:00:00')"

Of a frame the first six columns are shown. Its fingerprint ("content ..") is made from the first 256 KiB of
each column and of the index. Arrays of pyarrow are compared by their first 1,000 items. An array of a class
that is not named here is shown by its type, and not compared.
"""

from __future__ import annotations

import zlib
from typing import Any

from deskcheck.summaries import MOST_ITEMS, Look, Summary, Unread
from deskcheck.summaries._arrays import content, data_type, first_items, item_text

_MOST_COLUMNS, _HEAD, _MOST_COMPARED = 6, 3, 1000
_ARROW = ("pandas.arrays.ArrowStringArray", "pandas.arrays.ArrowExtensionArray")
_BACKED = ("Datetime", "Timedelta", "String", "NumpyExtension")
_NOT_A_TIME = ("pandas.api.typing.NaTType", "pandas._libs.tslibs.nattype.NaTType")
_MISSING = ("pandas.api.typing.NAType", "pandas._libs.missing.NAType")
_MASKED = ("Integer", "Floating", "Boolean")


def frame(value: Any, look: Look) -> str:
    """Describe a frame by its size, its columns with their heads, and the content of all."""
    manager = look.attribute(value, "_mgr")
    labels, index = look.field(manager, "axes")
    columns = dict(sorted(_columns(manager, look)))
    names, _ = _cells(labels, look, len(columns))
    shown: list[str] = []
    marks = [_mark(index, look), _mark(labels, look)]
    for place, (values, row) in columns.items():
        marks.append(_mark(values, look, row))
        if len(shown) < _MOST_COLUMNS:
            texts, n_all = _cells(values, look, _HEAD, row)
            more = ", …" if n_all > len(texts) else ""
            name = _bare(names[place] if place < len(names) else "?")
            shown.append(f"{name} {_type(values, look)} [{', '.join(texts)}{more}]")
    left = [f"… {len(columns) - _MOST_COLUMNS} more"] if len(columns) > _MOST_COLUMNS else []
    size = f"{_length(index, look)} rows x {len(columns)} columns"
    return f"{size}{': ' if shown else ''}{'; '.join([*shown, *left])}; content {_crc(marks)}"


def series(value: Any, look: Look) -> str:
    """Describe a series by its name, data type, size, first items, labels and content."""
    manager = look.attribute(value, "_mgr")
    (block,) = _held(manager, "blocks", look)
    (index,) = _held(manager, "axes", look)
    values, name = look.field(block, "values"), look.attribute(value, "_name")
    texts, n_all = _cells(values, look, MOST_ITEMS)
    labels, _ = _cells(index, look, _HEAD)
    more = ", …" if n_all > len(texts) else ""
    head = f"{'' if name is None else f'{look.text(name)} '}{_type(values, look)} ({n_all},)"
    shown = f"; index {', '.join(labels)}{', …' if n_all > len(labels) else ''}"
    where = "" if _is_default(index, look) else shown
    return (
        f"{head}: {', '.join(texts)}{more}{where}; content {_crc([_mark(values, look), _mark(index, look)])}"
    )


def labels(value: Any, look: Look) -> str:
    """Describe an index by its data type, size, first labels and content."""
    texts, n_all = _cells(value, look, MOST_ITEMS)
    more = ", …" if n_all > len(texts) else ""
    return f"{_type(value, look)} ({n_all},): {', '.join(texts)}{more}; content {_crc([_mark(value, look)])}"


def moment(value: Any, look: Look) -> str:
    """Write a moment as a call that pandas evaluates.

    A time zone is only mentioned, and nanoseconds are left out.
    """
    parts = [look.field(value, name) for name in ("year", "month", "day", "hour", "minute", "second")]
    date, clock = "-".join(f"{part:02}" for part in parts[:3]), ":".join(f"{part:02}" for part in parts[3:])
    rest = look.field(value, "microsecond")
    zone = "" if look.field(value, "tzinfo") is None else " in a time zone"
    return f"Timestamp('{date} {clock}{f'.{rest:06}' if rest else ''}'){zone}"


def duration(value: Any, look: Look) -> str:
    """Write a span of time as a call that pandas evaluates."""
    days, seconds, micro, nano = (
        look.field(value, name) for name in ("days", "seconds", "microseconds", "nanoseconds")
    )
    rest = f".{micro:06}{f'{nano:03}' if nano else ''}" if micro or nano else ""
    clock = f"{'+' if days < 0 else ''}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{rest}"
    return f"Timedelta('{days} days {clock}')"


def interval(value: Any, look: Look) -> str:
    """Write an interval by its ends."""
    left, right, closed = (look.field(value, name) for name in ("left", "right", "closed"))
    return f"Interval({look.text(left)}, {look.text(right)}, closed={look.text(closed)})"


def _held(manager: Any, name: str, look: Look) -> Any:
    try:
        return look.field(manager, name)
    except Unread:
        return look.attribute(manager, name)


def _columns(manager: Any, look: Look) -> list[tuple[int, tuple[Any, int]]]:
    """Return the place of each column, the array that holds it, and its row there (-1: all of it)."""
    columns = []
    for block in look.field(manager, "blocks"):
        values = look.field(block, "values")
        places = look.call(look.field(look.field(block, "_mgr_locs"), "as_array"), "tolist")
        is_flat = len(_shape(values, look)) < 2
        columns += [(place, (values, -1 if is_flat else row)) for row, place in enumerate(places)]
    return columns


def _shape(values: Any, look: Look) -> tuple[int, ...]:
    array = _array(values, look)
    return (0,) if array is None else look.field(array, "shape")


def _array(values: Any, look: Look, row: int = -1) -> Any:
    """Return the numpy array behind a column or an index; None if there is none."""
    if look.is_a(values, "numpy.ndarray"):
        return values if row < 0 else type(values).__getitem__(values, row)
    kind = look.type_name(type(values)).rpartition(".")[2]
    if kind.endswith("Index"):
        return None if kind in ("RangeIndex", "MultiIndex") else _array(look.attribute(values, "_data"), look)
    if kind == "Categorical" or kind.removesuffix("Array") in _BACKED:
        return _array(look.field(values, "_ndarray"), look, row)
    return None


def _range(values: Any, look: Look) -> range | None:
    held = look.attribute(values, "_range") if look.is_a(values, "pandas.RangeIndex") else None
    return held if type(held) is range else None


def _is_default(index: Any, look: Look) -> bool:
    numbers = _range(index, look)
    return numbers is not None and numbers.start == 0 and numbers.step == 1


def _arrow(values: Any, look: Look) -> Any:
    """Return the array of pyarrow behind a column or an index; None if there is none."""
    values = _data(values, look)
    if not any(look.is_a(values, name) for name in _ARROW):
        return None
    held = look.attribute(values, "_pa_array")
    return held if look.is_a(held, "pyarrow.lib.ChunkedArray") else None


def _data(values: Any, look: Look) -> Any:
    """Return the array that an index holds; anything else is returned itself."""
    if not look.type_name(type(values)).endswith("Index"):
        return values
    try:
        return look.attribute(values, "_data")
    except Unread:
        return values


def _length(values: Any, look: Look) -> int:
    found = _items(values, look, 0, -1)
    if found is None:
        raise Unread("an array")
    return found[1]


def _levels(values: Any, look: Look) -> list[tuple[Any, Any]]:
    """Return, for each level of a MultiIndex, its labels and the numbers that choose among them."""
    levels: Any = look.attribute(values, "_levels")
    codes: Any = look.attribute(values, "_codes")
    return list(zip(list.__iter__(levels), list.__iter__(codes), strict=True))


def _tuples(values: Any, look: Look, n: int) -> tuple[list[str], int]:
    """Return the texts of the first `n` labels of a MultiIndex, and the number of all."""
    columns, n_all = [], 0
    for level, codes in _levels(values, look):
        labels, _ = _cells(level, look, _MOST_COMPARED)
        columns.append([_label(labels, number) for number in _numpy(codes, look, n)])
        n_all = int(look.field(codes, "size"))
    return [f"({', '.join(parts)})" for parts in zip(*columns, strict=True)], n_all


def _label(labels: list[str], number: str) -> str:
    """Return the label with a number: -1 is no label, and labels after the first thousand were not read."""
    place = int(number)
    return "nan" if place < 0 else labels[place] if place < len(labels) else f"label {place}"


def _items(values: Any, look: Look, n: int, row: int) -> tuple[list[str], int] | None:
    """Return the texts of the first items and the number of all; None if they cannot be read."""
    numbers, arrow = _range(values, look), _arrow(values, look)
    if numbers is not None:
        return [str(number) for number in numbers[:n]], len(numbers)
    if arrow is not None:
        some = look.call(look.call(arrow, "slice", 0, n), "to_pylist")
        return ["nan" if item is None else look.text(item) for item in some], int(look.call(arrow, "length"))
    if look.is_a(values, "pandas.MultiIndex"):
        return _tuples(values, look, n)
    values = _data(values, look)
    kind = look.type_name(type(values)).rpartition(".")[2]
    if kind.removesuffix("Array") in _MASKED:
        data, mask = look.attribute(values, "_data"), look.attribute(values, "_mask")
        hidden = _numpy(mask, look, n)
        texts = [
            "<NA>" if gone == "True" else text
            for text, gone in zip(_numpy(data, look, n), hidden, strict=True)
        ]
        return texts, int(look.field(data, "size"))
    array = _array(values, look, row)
    if array is None:
        return None
    texts = _numpy(array, look, n)
    if kind == "Categorical":
        categories, _ = _cells(
            look.attribute(look.field(values, "_dtype"), "_categories"), look, _MOST_COMPARED
        )
        texts = [_label(categories, text) for text in texts]
    return texts, int(look.field(array, "size"))


def _numpy(array: Any, look: Look, n: int) -> list[str]:
    return [item_text(item, look) for item in first_items(array, look, n)]


def _cells(values: Any, look: Look, n: int, row: int = -1) -> tuple[list[str], int]:
    found = _items(values, look, n, row)
    return ([f"<{look.type_name(type(values))}>"], 0) if found is None else found


def _type(values: Any, look: Look) -> str:
    """Return the name of a column's data type."""
    if look.is_a(values, "pandas.MultiIndex"):
        return f"{len(_levels(values, look))} levels"
    array = _array(values, look)
    kind = look.type_name(type(_data(values, look))).rpartition(".")[2]
    if _range(values, look) is not None:
        return "range"
    if _arrow(values, look) is not None:
        return "str"
    if kind == "Categorical":
        return "category"
    if kind.removesuffix("Array") in _MASKED:
        held = look.attribute(_data(values, look), "_data")
        name = data_type(look.field(held, "dtype"), look)
        return "boolean" if name == "bool" else name.capitalize()
    if array is None:
        return kind
    return "string" if kind == "StringArray" else data_type(look.field(array, "dtype"), look)


def _mark(values: Any, look: Look, row: int = -1) -> str:
    """Return a text that differs if the compared content of a column or an index does."""
    if look.is_a(values, "pandas.MultiIndex"):
        levels = _levels(values, look)
        return repr([(_mark(level, look), content(codes, look)) for level, codes in levels])
    held = _data(values, look)
    kind = look.type_name(type(held)).rpartition(".")[2]
    array = _array(values, look, row)
    if array is not None and kind == "Categorical":
        labels = look.attribute(look.field(held, "_dtype"), "_categories")
        return f"{content(array, look)} {_mark(labels, look)}"
    if array is not None:
        return content(array, look)
    if kind.removesuffix("Array") in _MASKED:
        return " ".join(content(look.attribute(held, name), look) for name in ("_data", "_mask"))
    if kind == "PeriodArray":
        return content(look.field(held, "_ndarray"), look)
    found = _items(values, look, _MOST_COMPARED, row)
    return kind if found is None else repr(found)


def _crc(marks: list[str]) -> str:
    return f"{zlib.crc32(repr(marks).encode('utf-8', 'replace')):08x}"


def _bare(text: str) -> str:
    """Return the label of a column without quotes if it is a plain word."""
    return text[1:-1] if text[1:-1].isidentifier() else text


SUMMARIES = {
    "pandas.DataFrame": Summary(frame),
    "pandas.Series": Summary(series),
    **{
        f"pandas.{name}": Summary(labels)
        for name in (
            *("Index", "RangeIndex", "DatetimeIndex", "TimedeltaIndex", "CategoricalIndex", "MultiIndex"),
            *("Categorical", *(f"arrays.{kind}Array" for kind in (*_BACKED, *_MASKED, "ArrowString"))),
        )
    },
    "pandas.Timedelta": Summary(duration, can_change=False),
    "pandas.Interval": Summary(interval, can_change=False),
    **{name: Summary(lambda *_: "NaT", can_change=False) for name in _NOT_A_TIME},
    **{name: Summary(lambda *_: "<NA>", can_change=False) for name in _MISSING},
    "pandas.Timestamp": Summary(moment, can_change=False),
}
