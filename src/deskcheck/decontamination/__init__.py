"""Decide, function by function, whether a program is too similar to a program of a benchmark.

near.py          near_copy(source) -> Match | None, for builds and training; the hashes that ship
canonical.py     the tree that copies have in common, its form and its features
javascript.py    forms of programs in JavaScript and TypeScript, which are compared too
families.py      families of programs that are equal or nearly equal
prose.py         near copies in text that contains code
removed.py       the list of the programs that were left out
"""
