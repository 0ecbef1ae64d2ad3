# way: other code objects | tries: the entry itself gets another co_filename | want: refused
def f(x):
    a = 6  # step
    return a + x  # step


f.__code__ = f.__code__.replace(co_filename="<other>")
