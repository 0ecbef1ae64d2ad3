"""Statistics of scores: pure functions with exact denominators; they compute no number from no data.

summary.py    scores of one cell of a study -> counts, accuracy, interval clustered by program, pass@k
paired.py     two models on the same tasks: sign flips, difference, detectable difference; Holm
horizon.py    accuracy against executed steps: the horizon at 50 % or 80 %
pooled.py     one effect on several models; regression.py: several properties at once
"""
