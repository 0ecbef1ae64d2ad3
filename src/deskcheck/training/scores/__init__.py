"""Scores of a model trained from scratch, and the card that holds them."""
