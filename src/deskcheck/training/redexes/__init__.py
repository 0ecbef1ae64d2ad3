"""Redexes: single operations on literal operands, many of which a model practises in one training row."""
