"""Numbers from scores: pure functions, exact denominators, no number of nothing.

summary.py    scores of a run -> counts, accuracy, interval, pass@k
pass_at.py    unbiased pass@k
interval.py   95 % intervals clustered by program
paired.py     two models on the same tasks: sign flips, difference, what n tasks can show
holm.py       several p-values looked at together
"""
