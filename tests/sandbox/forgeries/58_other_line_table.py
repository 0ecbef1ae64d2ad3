# way: code that is not in the source | tries: the line table of a helper names the same line for everything | want: refused
def g(x):
    x += 1  # step
    x += 2  # step
    return x + 3  # step


code = g.__code__
lines = code.replace(co_firstlineno=code.co_firstlineno).co_linetable
g.__code__ = code.replace(co_linetable=bytes([0xF8 | 7]) * (len(code.co_code) // 16 + 1))


def f(x):
    return g(x)  # step
