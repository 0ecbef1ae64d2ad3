# way: code that is not in the source | tries: code comes back from its bytes with another name in it | want: refused
import marshal


def g(x):
    return max(x, 100)  # never


data = marshal.dumps(g.__code__).replace(b"max", b"min")
g = type(g)(marshal.loads(data), {"min": lambda x, y: x + 6})


def f(x):
    return g(x)  # step
