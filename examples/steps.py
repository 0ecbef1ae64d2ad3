"""A program to trace in each granularity: lines, expressions, instructions."""


def f(xs):
    best = xs[0]
    for x in xs:
        best = max(best, x * x - 1)
    return best
