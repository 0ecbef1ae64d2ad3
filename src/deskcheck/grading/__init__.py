"""Answers and verdicts: pure functions over text and plain values. No text of a model is executed.

extraction.py reply -> answer, at a named extraction level
verdict.py    reply -> answer or reason for no answer; answer and truth -> right, wrong, no answer
"""
