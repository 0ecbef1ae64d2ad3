"""Read answers out of models' replies and judge them: pure functions that execute no text of a model.

extraction.py reply -> answer, at a named extraction level
verdict.py    reply -> answer or reason for no answer; answer and truth -> right, wrong, no answer

Start with these two; the other files hold their parts and further kinds of answer.
"""
