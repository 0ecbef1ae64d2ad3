# way: other code objects | tries: a table of lines that knows the first line only | want: refused
def f(x):
    a = 1  # step
    a = 6  # step
    return a + x  # step


f.__code__ = f.__code__.replace(co_linetable=b"\xf8\x00" * 16)
