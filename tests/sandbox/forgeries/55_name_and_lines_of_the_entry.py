# way: code that is not in the source | tries: another function takes over name and lines of the entry | want: refused
def real(x):
    return x * 3


def f(x):
    return x * 5  # never


code = f.__code__
real.__code__ = real.__code__.replace(
    co_name="f", co_qualname="f", co_firstlineno=code.co_firstlineno, co_linetable=code.co_linetable
)
f = real
