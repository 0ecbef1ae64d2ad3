"""Turns of strategies: prompts in a layout, chains of states, conversations, and answers read off a run.

question.py                 a question in words
worked_examples.py          a layout explained to a chat model
chain.py, skips.py          a prompt in a layout; loops that carry a state, one or several steps at once
error_injection.py          true or wrong states in its history; finer.py: the true run in finer steps
dialogue.py, bindings.py    a chat model writes the variables; lines.py: the lines asked about
derived.py                  answers read off a written run (predicted_run.py)
settings.py                 the settings of all strategies
"""
