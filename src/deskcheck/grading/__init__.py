"""Answers and verdicts: pure functions over text and plain values; nothing a model wrote is executed.

answers.py    completion -> answer, or why there is none
literals.py   answer text -> plain value
compare.py    two values, a named policy -> equal or not
verdict.py    answer and truth -> right, wrong, no answer
"""
