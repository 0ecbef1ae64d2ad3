"""The turns of strategies: questions in a layout, chains of states, conversations, and what is read off them.

question.py                 a question in words
worked_examples.py          a layout explained to a chat model
chain.py, skips.py          a question in a layout; loops that carry a state: step by step, several at once
error_injection.py          wrong or true states in the model's place; finer.py: the true run in finer steps
dialogue.py, bindings.py    conversations whose states are words; lines.py: which lines they go through
derived.py                  answers read off a written run (predicted_run.py)
settings.py                    the settings of all strategies
"""
