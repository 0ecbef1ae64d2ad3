# call: f(3)
def g(n):
    for i in range(n):
        yield i * i


def f(n):
    t = 0
    for v in g(n):
        t += v
    return t
