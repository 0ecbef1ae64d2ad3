"""Redexes: single operations on literal operands, many of which a model practices in one training row."""
