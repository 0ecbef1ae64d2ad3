"""Numbers from scores: pure functions, exact denominators, no number of nothing.

summary.py    scores of a run -> counts, accuracy, interval clustered by program, pass@k
paired.py     two models on the same tasks: sign flips, difference, what n tasks can show; Holm
"""
