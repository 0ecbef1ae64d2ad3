# call: f(4)
def f(n):
    xs = [n]
    return xs[n]
