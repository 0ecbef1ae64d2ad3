"""Redexes: single operations on literal operands, practised densely; the first thing that a model learns."""
