"""Decide whether a program is too near to one that deskcheck evaluates on, function by function.

near.py          near_copy(source) -> Near | None: the one decision that building and training ask
units.py         functions and methods of a source with their helpers, normalized
fingerprints.py  what ships of the benchmarks: hashes, no text
"""
