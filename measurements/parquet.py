"""From packed traces to validated Parquet on disk: what one core does of it, stage by stage.

    python measurements/parquet.py [--json out.json]

Stages: `unpack` (strict), `check` (all structural checks; "new" reads each program's table of lines, "known"
finds it kept, as with several inputs a program), `table` (Arrow), `write` (table, then
Parquet with zstd, fsync). CPU time of this process, Arrow on one thread, medians of 5 after one warm-up.
Work: 2,000 runs of loops with about 120 steps, 1,000 of generated programs, 40 of Collatz with about 440.
What was written is read back and compared.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

from deskcheck.corpus.long_programs import COLLATZ
from deskcheck.format import shards
from deskcheck.format.arrow import table_of_packed
from deskcheck.format.buffers import Packed, packed_of
from deskcheck.programs.generated import traced
from deskcheck.records import Limits, Program
from deskcheck.tracing import source_facts
from deskcheck.tracing.collect import check_packed
from deskcheck.tracing.packed import pack, unpack
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program

LIMITS = Limits()
TINY = """def f(n):
    seen = []
    total = 0
    for i in range(n):
        total += i * %d
        if total %% 3 == 0:
            seen.append(total)
    return seen, total
"""


def median_s(run: Callable[[], object]) -> float:
    """Median CPU seconds of five runs after one that is thrown away."""
    times_s = []
    for _ in range(6):
        start = time.process_time()
        run()
        times_s.append(time.process_time() - start)
    return statistics.median(times_s[1:])


def stages(rows: list[tuple[Program, bytes]], path: Path) -> dict[str, float]:
    """Seconds of each stage over all rows."""
    unpacked: list[tuple[Program, Packed]] = []
    tables = [source_facts.table_of(program) for program, _ in rows]

    def unpack_all() -> None:
        unpacked[:] = [(program, unpack(data)) for program, data in rows]

    def check_new() -> None:
        source_facts.read_table.cache_clear()
        for (program, packed), table in zip(unpacked, tables, strict=True):
            check_packed(packed, program, LIMITS, table)

    def check_known() -> None:
        for i in range(len(unpacked)):
            program, packed = unpacked[i % 40]  # fewer sources than are kept
            check_packed(packed, program, LIMITS, tables[i % 40])

    def whole() -> None:
        def checked():  # type: ignore[no-untyped-def]
            for (program, data), table in zip(rows, tables, strict=True):
                packed = unpack(data)
                check_packed(packed, program, LIMITS, table)
                yield program, packed

        shards.write_packed(path, list(checked()))

    found = {
        "unpack": median_s(unpack_all),
        "check, new sources": median_s(check_new),
        "check, known sources": median_s(check_known),
        "table": median_s(lambda: table_of_packed(unpacked)),
        "write": median_s(lambda: shards.write_packed(path, unpacked)),
        "packed to Parquet, all of it": median_s(whole),
    }
    seconds = sum(found[stage] for stage in ("unpack", "check, new sources", "table"))
    found["unpack + check, new + table"] = seconds
    found["unpack + check, known + table"] = (
        seconds - found["check, new sources"] + found["check, known sources"]
    )
    back = [(program, pack(packed)) for program, packed in shards.read_packed(path)]
    assert back == rows, "what was read is not what was written"
    return found


def workloads() -> dict[str, list[tuple[Program, bytes]]]:
    """Name -> packed runs: no two are the same."""
    tiny = [(TINY % k, str(n)) for k in range(1, 51) for n in range(15, 55)]
    long = [(COLLATZ, str(n)) for n in range(77031, 77071)]
    generated = [program for program, _ in traced("hard", seed=1, n=1000)]
    return {
        "tiny loops, 50 sources": _packed([make_program(s, "f", n, origin="benchmark") for s, n in tiny]),
        "generated, hard": _packed(generated),
        "collatz, long": _packed([make_program(s, "f", n, origin="benchmark") for s, n in long]),
    }


def _packed(programs: list[Program]) -> list[tuple[Program, bytes]]:
    return [(program, pack(packed_of(trace_program(program, LIMITS)))) for program in programs]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", help="also write the figures here")
    options = parser.parse_args()
    pa.set_cpu_count(1)
    report = {}
    for name, rows in workloads().items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "t.parquet"
            found = stages(rows, path)
            n_bytes = path.stat().st_size
        packed = [unpack(data) for _, data in rows]
        n_events, n_steps = sum(p.n_events for p in packed), sum(p.n_steps for p in packed)
        n_packed = sum(len(data) for _, data in rows)
        print(
            f"{name}: {len(rows):,} traces, {n_events:,} events, {n_steps / len(rows):.0f} steps a trace; "
            f"packed {n_packed / n_events:.1f}, Parquet {n_bytes / n_events:.1f} bytes an event"
        )
        for stage, seconds in found.items():
            print(
                f"  {stage:30} {seconds / len(rows) * 1e6:8.1f} us a trace  "
                f"{seconds / n_events * 1e9:7.0f} ns an event  {n_events / seconds / 1e6:6.2f} M events/s"
            )
        report[name] = {
            "traces": len(rows), "events": n_events, "packed_bytes": n_packed, "parquet_bytes": n_bytes,
            "cpu_s": found,
        }  # fmt: skip
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
