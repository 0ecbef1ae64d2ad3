# call: f([1, 2, 2, 3])
def f(xs):
    for x in xs:
        if x == 2:
            xs.remove(x)
    return xs
