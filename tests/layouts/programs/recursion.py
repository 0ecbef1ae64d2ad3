# call: f(4)
def f(n):
    if n < 2:
        return n
    a = f(n - 1)
    return a + f(n - 2)
