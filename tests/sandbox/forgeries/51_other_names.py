# way: code that is not in the source | tries: the names that the entry looks up are replaced | want: refused
def f(x):
    a = sum([x, x, x])  # never
    return a  # never


def triple(values):
    return 3 * len(values)


names = tuple("triple" if name == "sum" else name for name in f.__code__.co_names)
f.__code__ = f.__code__.replace(co_names=names)
