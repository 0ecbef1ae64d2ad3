"""Answers and verdicts: pure functions over text and plain values; nothing a model wrote is executed.

extraction.py where in a reply the answer stands, at a named level
literals.py   answer text -> plain value; two values, a named policy -> equal or not
verdict.py    reply -> answer, or why there is none; answer and truth -> right, wrong, no answer
"""
