"""Decide whether a program is too near to one that deskcheck evaluates on, function by function.

near.py          near_copy(source) -> Match | None: what building and training ask; the hashes that ship
canonical.py     the tree that copies share, its form and features
"""
