"""Building blocks of strategies: prompts, chains of states, conversations, answers read off a written run.

question.py                 a question in words
wording.py                  the user's own or a published prompt (source_prompts.py: one text for each task)
worked_examples.py          a layout explained to a chat model
chain.py, skips.py          a prompt in a layout; loops that carry a state, one or several steps at once
error_injection.py          true or wrong states in the model's place; finer.py: the true run in finer steps
dialogue.py, bindings.py    a chat model writes the variables; lines.py: the lines asked about
derived.py                  answers read off a run that a model wrote (predicted_run.py)
settings.py                 the settings of all strategies
"""
