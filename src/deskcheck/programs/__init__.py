"""Sources of programs: one file each, `def programs(options: SourceOptions) -> Iterator[Program]`.

A source says who answers for its programs: TRUST = "ours", "pinned", "named" or "untrusted"
(sandbox/containment.py); one that does not say is untrusted.

It says too which options it reads: TAKES = ("path", "licence"); `build` refuses the others by name.

`files` are your own functions and calls, `generated` are seeded random programs, which `corpus/grammar.py`
writes, and `real` are functions cut out of the standard library and of installed packages (`_library*`).
"""
