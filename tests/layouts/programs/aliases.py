# call: f([1, 2])
def f(a):
    b = a
    b.append(3)
    c = [a, b]
    c[0][0] = 9
    return c
