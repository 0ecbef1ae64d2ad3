# way: other code objects | tries: a helper with another co_filename | want: refused
def helper(x):
    return x + 6  # step


def f(x):
    helper.__code__ = helper.__code__.replace(co_filename="<other>")
    return helper(x)
