"""The comparison of layouts at equal compute; `measurements/layouts.py` is its command.

Compute (`plan`), runs (`runs`), programs (`programs`, `digits`), scores by part (`scores`), rows without
a model (`baselines`), other questions (`sets`, `inputs`), printed tables (`tables`, `set_tables`).
"""
