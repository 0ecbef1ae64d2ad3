"""Decide, function by function, whether a program is too similar to a program of a benchmark.

near.py          near_copy(source) -> Match | None, for builds and training; the hashes that ship
canonical.py     the normal form of a function, in which copies are equal, and its features
javascript.py    forms of programs in JavaScript and TypeScript, which are compared too
families.py      families of programs that are equal or nearly equal
prose.py         near copies in prose with code in it
removed.py       the list of the programs that were left out
"""
