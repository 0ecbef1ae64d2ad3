"""Programs over values of libraries; each is called without arguments."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import fractions
import io
import pathlib
import re
import socket
import tempfile
import threading
import uuid
import zoneinfo
from decimal import Decimal
from pathlib import Path
from typing import Any


class Colour(enum.Enum):
    RED = 1
    BLUE = "b"


class Mode(enum.Flag):
    READ = 1
    WRITE = 2


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


def array_in_place():
    import numpy as np

    xs = np.arange(6)
    xs[2] = 9
    xs += 1
    n = 0
    n += 1
    xs.sort()
    return xs


def array_views():
    import numpy as np

    table = np.zeros((3, 4))
    row = table[1]
    row[:] = 2.5
    flat = table.reshape(-1)
    flat[0] = -1
    turned = table.T
    turned[3, 2] = 7
    return flat


def array_of_a_thousand():
    import numpy as np

    xs = np.arange(1000)
    k = 0
    while k < 3:
        xs[500 + k] = -k
        k += 1
    return xs


def array_of_every_kind_in_place():
    import numpy as np

    names = [
        "bool",
        "float32",
        "float64",
        "float16",
        ">i4",
        *(f"{k}int{n}" for k in ("", "u") for n in (8, 16, 32, 64)),
    ]
    for name in names:
        for size in (1, 8, 9, 300):
            xs = np.zeros(size, dtype=name)
            xs[size // 2] = 1
            xs[-1] = 3.7 if "float" in name else 100
            xs[0] = np.nan if "float" in name else 1
            xs[:] = xs[::-1].copy()
            xs += xs
            xs[size // 2 :] = 0
            xs = xs[::-1]
            xs[0] = 1
    return xs


def array_that_lies_otherwise():
    import numpy as np

    xs = np.arange(60)
    view = xs[10:50].reshape(5, 8)
    view[4, 7] = -1
    xs.shape = (6, 10)
    xs[5, 9] = -2
    xs.dtype = np.int32
    xs[0, 0] = 7
    view = view.T
    view[0, 0] = 5
    big = np.zeros(70_000, dtype=np.float32)
    big[65_000] = 1.5
    big[69_999] = 2.5
    big[3] = 0.1
    tall = np.zeros((2, 3, 1, 2, 2))
    tall[1, 2, 0, 1, 1] = 4
    return big


def array_handed_on():
    import numpy as np

    def fill(ys):
        for i in range(len(ys)):
            ys[i] = i * i

    xs = np.ones(4, dtype=np.float32)
    fill(xs)
    np.negative(xs, out=xs)
    held = [xs]
    held[0][1] = 5
    return held


def array_kinds():
    import numpy as np

    flags = np.array([True, False])
    flags[1] = True
    words = np.array(["a", "bcd"])
    words[0] = "zz"
    mixed = np.array([1, "x", None], dtype=object)
    mixed[0] = (2, 3)
    mixed[2] = np.int64(7)
    mixed[1] = Colour.RED
    small = np.uint8(200)
    wide = np.float64(0.5)
    empty = np.array([])
    number = np.complex128(1 + 2j)
    return flags, words, mixed, small, wide, empty, number


def array_dates():
    import numpy as np

    days = np.array(["2020-01-01", "2021-02-03"], dtype="datetime64[D]")
    days[0] = np.datetime64("1999-12-31")
    gap = days[1] - days[0]
    return gap


def array_spans():
    import numpy as np

    spans = np.array([86_400_000_000, -5], dtype="timedelta64[us]")
    spans[1] = np.timedelta64(3, "h")
    odd = np.array([3], dtype="timedelta64[25s]")
    return spans, odd


def array_masked():
    import numpy as np

    few = np.ma.masked_array([1, 2, 3], mask=[False, True, False])
    few[0] = 9
    few[2] = np.ma.masked
    bare = np.ma.masked_array([0.5, 1.5])
    bare[1] = 2.5
    many = np.ma.masked_array(np.arange(20), mask=np.zeros(20, bool))
    many[19] = -1
    many[18] = np.ma.masked
    return few, bare, many


def array_of_other_classes():
    import numpy as np

    held = np.memmap(Path(tempfile.mkdtemp()) / "held", dtype="int32", mode="w+", shape=(3,))
    held[1] = 7
    rows = np.rec.array([(1, 2.0), (3, 4.0)], dtype=[("a", int), ("b", float)])
    rows.a[0] = 4
    pairs = np.zeros(2, dtype=[("x", int), ("y", float)])
    pair = pairs[1]
    pairs["y"][1] = 2.5
    pair["x"] = 3
    return held, rows, pair


def array_by_random():
    import numpy as np

    rng = np.random.default_rng(1)
    xs = np.arange(12)
    rng.shuffle(xs)
    ys = xs.copy()
    ys.resize((3, 4))
    ys.fill(3)
    return ys


def array_in_fields():
    import numpy as np

    @dataclasses.dataclass
    class Holder:
        data: Any

    holder = Holder(np.zeros(3))
    alias = holder.data
    holder.data[1] = 4
    alias *= 2
    return alias


def array_from_buffer():
    import numpy as np

    raw = bytearray(8)
    xs = np.frombuffer(raw, dtype=np.uint8)
    raw[3] = 77
    view = memoryview(raw)
    view[0] = 5
    return xs


def frame_cells():
    import pandas as pd

    frame = pd.DataFrame({"a": [1, 2, 3], "b": [0.5, 1.5, 2.5]})
    frame.loc[1, "a"] = 20
    frame["c"] = frame["a"] * 2
    frame.iloc[2, 1] = -1.0
    del frame["b"]
    return frame


def frame_of_words():
    import pandas as pd

    frame = pd.DataFrame({"word": ["x", "y", None], "n": [1, 2, 3]})
    frame.loc[0, "word"] = "changed"
    short = frame[frame.n > 1]
    short = short.reset_index(drop=True)
    return short


def frame_sorted():
    import pandas as pd

    frame = pd.DataFrame({"k": [3, 1, 2]}, index=["p", "q", "r"])
    frame = frame.sort_values("k")
    total = frame["k"].sum()
    return total


def frame_long():
    import pandas as pd

    frame = pd.DataFrame({f"col{i}": range(50) for i in range(9)})
    frame.iloc[40, 8] = -5
    return frame


def frame_of_many_columns():
    import pandas as pd

    table = pd.DataFrame({name: [1, 2] for name in "abcdefgh"})
    table.columns = list("abcdefgz")
    table.loc[1, "z"] = 5
    nothing = pd.DataFrame()
    return table, nothing


def frame_of_two_levels():
    import pandas as pd

    table = pd.DataFrame({"n": [3, 1]}, index=pd.MultiIndex.from_tuples([(1, "a"), (2, "b")]))
    table.loc[(2, "b"), "n"] = 8
    index = table.index
    table.index = pd.MultiIndex.from_tuples([(1, "a"), (2, "c")])
    return table, index


def frame_of_long_categories():
    import pandas as pd

    table = pd.DataFrame({"kind": pd.Categorical(["u", "v"] * 600)})
    table.loc[1199, "kind"] = "u"
    return table


def series_of_kinds():
    import pandas as pd

    ages = pd.Series([30, 41], index=["ann", "bob"], name="age")
    ages["bob"] = 42
    kinds = pd.Series(["u", "v", "u"], dtype="category")
    gaps = pd.Series([1, None, 3], dtype="Int64")
    gaps.iloc[1] = 8
    flags = pd.Series([True, None], dtype="boolean")
    flags.iloc[1] = False
    row = pd.DataFrame({"n": [1], "s": ["x"]}).iloc[0]
    spans = pd.Series(pd.to_timedelta([1, 2], unit="D"))
    span = spans.iloc[0]
    missing = (pd.NA, pd.NaT)
    part = pd.Interval(0, 5)
    index = pd.Index([5, 6, 7])
    return ages, kinds, gaps, index, flags, row, span, missing, part


def series_of_days():
    import pandas as pd

    days = pd.Series(pd.date_range("2020-01-01", periods=3))
    first = days.iloc[0]
    return first


def tensor_in_place():
    import torch

    xs = torch.arange(5.0)
    xs[1] = 9
    ys = xs.view(5, 1)
    ys.mul_(2)
    long = torch.zeros(100, dtype=torch.int64)
    long[99] = 1
    kind, place = long.dtype, long.device
    return ys, kind, place


def tensor_with_gradient():
    import torch

    weights = torch.nn.Parameter(torch.ones(2))
    loss = (weights * 3).sum()
    loss.backward()
    with torch.no_grad():
        weights -= 0.5
    return loss


def enums():
    colour = Colour.RED
    colour = Colour("b")
    mode = Mode.READ
    mode |= Mode.WRITE
    level = Level.HIGH
    pairs = {Colour.RED: [Level.LOW]}
    return colour, mode, level, pairs


def enum_with_a_list():
    class Kind(enum.Enum):
        A = [1]  # noqa: RUF012 - a value that changes

    kind = Kind.A
    kind.value.append(2)
    return kind


def data_classes():
    p = Point(1)
    q = p
    q.x += 5
    p = dataclasses.replace(p, y=3)
    return p


def attrs_classes():
    import attr

    @attr.s(auto_attribs=True)
    class Item:
        name: str
        tags: Any = attr.Factory(list)

    @attr.s(slots=True, frozen=True)
    class Fixed:
        n = attr.ib()

    item = Item("a")
    item.tags.append("t")
    fixed = Fixed(3)
    return fixed


def paths():
    home = pathlib.PurePosixPath("/home")
    user = home / "ann" / "notes.txt"
    name = user.name
    here = pathlib.Path("a") / "." / "b"
    text = str(here)
    root = pathlib.PurePosixPath("/")
    nothing = pathlib.PurePath()
    up = pathlib.PurePosixPath("a//b", "/c", "../d")
    return user, name, here, text, root, nothing, up


def moments():
    day = datetime.date(2020, 2, 29)
    then = datetime.datetime(2020, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)
    gap = datetime.timedelta(days=1)
    zone = datetime.timezone(datetime.timedelta(hours=2), "CEST")
    later = then + gap
    place = zoneinfo.ZoneInfo("UTC")
    return day, zone, later, place


def numbers():
    half = fractions.Fraction(1, 2)
    third = half / 3
    price = Decimal("1.10")
    price *= 3
    key = uuid.UUID(int=7)
    return third, price, key


def patterns():
    word = re.compile(r"(\w+)@", re.I | re.M)
    found = word.search("to ann@home")
    nothing = word.search("")
    data = re.compile(b"x+")
    return found, nothing, data


def files():  # each open and closed by hand: what it is in between is shown
    folder = tempfile.mkdtemp(prefix="summary-")
    place = folder + "/a.txt"
    with open(place, "w") as out:
        out.write("hello")
    lines = Path(place).open()  # noqa: SIM115 - its state is looked at
    first = lines.readline()
    lines.close()
    raw = Path(place).open("rb")  # noqa: SIM115
    raw.read(2)
    raw.close()
    bare = Path(place).open("rb", buffering=0)  # noqa: SIM115
    bare.close()
    return first


def streams_in_memory():
    text = io.StringIO()
    text.write("one ")
    print("two", file=text)
    text.seek(0)
    data = io.BytesIO(b"abc")
    data.read(2)
    data.close()
    return text


def views_of_memory():
    data = bytearray(b"abc")
    view = memoryview(data)
    view[0] = 120
    data[1] = 121
    part = view[1:]
    part.release()
    return view


def locks():
    lock = threading.Lock()
    with lock:
        held = 1
    lock.acquire()
    lock.release()
    again = threading.RLock()
    again.acquire()
    again.acquire()
    again.release()
    again.release()
    return held


def sockets():
    one, two = socket.socketpair()
    one.sendall(b"x")
    two.close()
    one.close()
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.close()
    return None


def in_containers():
    import numpy as np

    shelf = {"a": np.arange(3), Colour.RED: [Point(1, 2)]}
    shelf["a"][0] = 8
    shelf[Colour.RED][0].y = 9
    both = [shelf["a"], shelf["a"]]
    both[1][2] = -4
    return both


def in_a_generator():
    import numpy as np

    def steps(xs):
        for i in range(2):
            xs[i] = 50 + i
            yield xs.sum()

    xs = np.arange(4)
    totals = []
    for total in steps(xs):
        totals.append(total)
    return totals


PROGRAMS = [
    array_in_place, array_views, array_of_a_thousand, array_handed_on, array_kinds, array_dates, frame_long,
    array_of_every_kind_in_place, array_that_lies_otherwise,
    array_by_random, array_in_fields, array_spans, array_masked, array_of_other_classes,
    array_from_buffer, frame_cells, frame_of_words, frame_sorted,
    frame_of_many_columns, frame_of_two_levels, frame_of_long_categories, views_of_memory,
    series_of_kinds, series_of_days, tensor_in_place, tensor_with_gradient, enums, enum_with_a_list,
    data_classes, attrs_classes, paths, moments, numbers, patterns, files, streams_in_memory, locks, sockets,
    in_containers, in_a_generator,
]  # fmt: skip
