"""Redexes: single operations on literal operands, which a model practises first, many in a row of tokens."""
