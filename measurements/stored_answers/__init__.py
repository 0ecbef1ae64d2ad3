"""Stored answers of real models, read, graded and taken apart: what `measurements/real_models.py` prints.

graded    every answer of the data folder with a verdict, run by run
re2       RE2-Bench: four questions by its own rule and by ours, states beside outputs, programs executed
joined    LiveCodeBench's problems with the tags and ratings of doocs/leetcode
numbers   shares, differences and horizons as text
findings  docs/results.md
audit     docs/audit.md
picture   the chart
"""
