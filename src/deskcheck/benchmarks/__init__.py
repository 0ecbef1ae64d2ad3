"""Benchmarks: one file each, found by its name.

A file holds `HUB` (repository, commit, file; None where it ships), optionally `PINNED` (sha256 of files
whose programs are known) and `def items(data: str) -> Iterator[Item]`: `data` = path of its file, "" = the
hub's or the shipped one. Truth is never taken from the file: `evaluation.truth` executes every program.
"""
