# call: f(1)
def f(n):
    def add(x):
        nonlocal n
        n += x
        return n

    add(2)
    add(3)
    return n
