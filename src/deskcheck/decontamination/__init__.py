"""Decide whether a program is too near to one that deskcheck evaluates on, function by function.

near.py          near_copy(source) -> Match | None: what building and training ask; the hashes that ship
units.py         functions and methods of a source with their helpers, normalized; their features
"""
