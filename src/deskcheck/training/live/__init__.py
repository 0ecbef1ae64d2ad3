"""Rows that worker processes make while a model is trained on earlier ones."""
