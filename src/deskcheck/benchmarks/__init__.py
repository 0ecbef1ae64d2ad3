"""Benchmarks: one file each, found by its name.

A file holds `HUB` (repository, commit, file ..; None where nothing is fetched), optionally `PINNED` (sha256
of files whose programs are known) and `LIMITS` (fields of `records.Limits` that its runs need), and
`def items(data: str, *, option: int = 3, ..) -> Iterator[Item | Skipped]`: `data` = path of its file, "" =
the hub's or what ships; options are what `-T option=5` sets. Truth is never taken from the file:
`evaluation.truth` executes every program. "Add a benchmark in 40 lines": docs/benchmarks/README.md.
"""
