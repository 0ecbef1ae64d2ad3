# call: f(3)
def f(n):
    while n > 0:
        n -= 2
    else:
        n = n * 10
    return n
