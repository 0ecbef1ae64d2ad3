"""What a model computes, operation by operation and size by size, on a line of a program.

    python measurements/operations.py --rows FILE [--model DIR] [--layout line-1] [--n 100] [--write]
    python measurements/operations.py --rows FILE --set sealed ..       once, with frozen weights

One step from the true state of a program that has one operation, on operands that are kept out of training
by a hash: every operation of `redexes/programs.ON_LINES`, short, middle and long. `--set sealed` takes the
other half of these operands, drawn from the bytes of the weights: nobody can have looked before the weights
were final. Rows are stored as they are made, and what is stored for these weights is not asked again.
--write puts the table into docs/tiny-operations.md. All of it takes half an hour of one core;
`--operations "len(s);a < b"` asks few.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from deskcheck.models.tiny import SHIPPED, load
from deskcheck.training.redexes.gates import GateRow, sealed_seed, table
from deskcheck.training.redexes.on_lines import line_rows
from deskcheck.training.redexes.programs import ON_LINES
from deskcheck.training.redexes.table import OPERATIONS
from deskcheck.training.redexes.values import SIZES

BEGIN, END = "<!-- operations: measurements/operations.py -->", "<!-- end of operations -->"
PAGE = Path(__file__).resolve().parents[1] / "docs" / "tiny-operations.md"
DEVELOPMENT = "development"
SECTION = """\
{begin}
## Operation by operation, on a line of a program

{set} set: `python measurements/operations.py --layout {layout} --n {n}{options}
--rows FILE`. Each question is one step from the true state of a program that has this one operation, in the
layout {layout}. Its operands are kept out of training by a hash of their text. Right = the whole step, letter
by letter. short: strings of 1 to 8 characters, lists of 1 to 6 elements, numbers of 1 to 3 digits; middle:
9 to 20, 7 to 12, 4 to 5; long: 21 to 60, 13 to 20, 6 to 9. The line assigns the result to a name, also where
the operation is a method that changes its operand (`r = xs.append(e)`), or uses it as a condition. Some of
these forms are rare in generated programs or do not occur there. An operation with under half of n operands
kept out has no row. Intervals are 95 %. Weights {weights}.

| operations that reach | {sizes} |
|---|{dashes}|
| 95 % | {n_95} |
| 90 % | {n_90} |
| less than 50 % | {n_50} |

Right in all: {totals}.

{table}
{end}

"""


def rows_of(given: argparse.Namespace, folder: Path) -> list[GateRow]:
    """All rows, those that are stored and those that are made now."""
    seed = sealed_seed(folder) if given.set == "sealed" else DEVELOPMENT
    key = (sealed_seed(folder), given.layout, given.set, given.n)
    path = Path(given.rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.read_bytes().splitlines() if path.exists() else []
    known = {
        (row["operation"], row["size"]): msgspec.convert(row, GateRow)
        for *of, row in map(msgspec.json.decode, lines)
        if tuple(of) == key
    }
    wanted = given.operations.split(";") if given.operations else [one.name for one in ON_LINES]
    model = None
    found: list[GateRow] = []
    for size in given.sizes.split(","):
        for name in wanted:
            row = known.get((name, size))
            if row is None and size in OPERATIONS[name].sizes:
                model = model or load("" if folder == SHIPPED else str(folder), threads=1)
                operations = [OPERATIONS[name]]
                made = line_rows(model, given.layout, operations=operations, size=size, n=given.n, seed=seed)
                row = made[0] if made else GateRow(name, size, 0, 0, 0.0, 0.0)
                with path.open("ab") as file:
                    file.write(msgspec.json.encode([*key, row]) + b"\n")
            if row is not None and row.n:
                found.append(row)
    return found


def options(given: argparse.Namespace) -> str:
    """What else the command had; ".." stands for the operations that the table has."""
    sizes = "" if given.sizes == ",".join(SIZES) else f" --sizes {given.sizes}"
    chosen = " --operations .." if given.operations else ""
    return (" --set sealed" if given.set == "sealed" else "") + sizes + chosen


def section(rows: list[GateRow], given: argparse.Namespace, folder: Path) -> str:
    """The rows as a part of the page."""
    by_size = {size: [row for row in rows if row.size == size] for size in SIZES}
    by_size = {size: part for size, part in by_size.items() if part}
    totals = [
        f"{size} {sum(row.right for row in part):,} of {sum(row.n for row in part):,}"
        for size, part in by_size.items()
    ]
    reach = {
        name: " | ".join(
            f"{sum(test(row.share) for row in part)} of {len(part)}" for part in by_size.values()
        )
        for name, test in (
            ("n_95", lambda share: share >= 0.95),
            ("n_90", lambda share: share >= 0.9),
            ("n_50", lambda share: share < 0.5),
        )
    }
    return SECTION.format(
        begin=BEGIN,
        end=END,
        set="Sealed" if given.set == "sealed" else "Development",
        options=options(given),
        layout=given.layout,
        n=given.n,
        weights=sealed_seed(folder).rpartition(":")[2],
        sizes=" | ".join(by_size),
        dashes="|".join("---" for _ in by_size),
        totals=", ".join(totals),
        table=table(rows),
        **reach,
    )


def written(page: str, text: str) -> str:
    """The page with this section: in place of the one before, or at its end."""
    if BEGIN not in page:
        return page.rstrip() + "\n\n" + text.strip() + "\n"
    start, end = page.index(BEGIN), page.index(END) + len(END)
    return page[:start] + text.strip() + page[end:]


def main() -> int:
    """Ask what is not stored yet, print the section, and write it into the page if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", default="")
    parser.add_argument("--model", default="")
    parser.add_argument("--layout", default="line-1")
    parser.add_argument("--operations", default="", help="names with ; between; all where none is given")
    parser.add_argument("--sizes", default=",".join(SIZES))
    parser.add_argument("--n", type=int, default=100)
    parser.add_argument("--set", choices=(DEVELOPMENT, "sealed"), default=DEVELOPMENT)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if not given.rows:
        print("not run: --rows FILE says where rows are kept; the whole table takes half an hour of one core")
        return 0
    folder = Path(given.model) if given.model else SHIPPED
    text = section(rows_of(given, folder), given, folder)
    print(text)
    if given.write:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
