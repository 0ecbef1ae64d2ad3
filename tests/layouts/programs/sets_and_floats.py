# call: f({3, 1, 2})
def f(s):
    t = {x * 0.5 for x in s}
    u = frozenset(t)
    return sorted(t), len(u)
