"""Sources of programs: one file each, with `def programs(options: SourceOptions) -> Iterator[Program]`.

A source states who vouches for its programs: TRUST = "ours", "pinned", "named" or "untrusted"
(sandbox/containment.py). A source without TRUST is untrusted.

A source also states the options that it reads: TAKES = ("path", "license"); `build` refuses the others by
name.

`files` are your own functions and calls. `functions` are all functions of any code, with inputs that are
tried. `generated` are seeded random programs (`corpus/grammar.py`). `real` are pinned functions of the
standard library and of installed packages (`corpus/library*.py`). `written` are short functions that a
language model wrote for this project (`corpus/written/`).
"""
