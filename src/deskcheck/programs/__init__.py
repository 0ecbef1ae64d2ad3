"""Sources of programs: one file each, `def programs(options: SourceOptions) -> Iterator[Program]`.

`files` are your own functions and calls, `generated` are seeded random programs, which `_grammar` writes.
"""
