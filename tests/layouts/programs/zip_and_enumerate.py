# call: f([1, 2], (3, 4))
def f(a, b):
    r = []
    for i, (x, y) in enumerate(zip(a, b, strict=True)):
        r.append((i, x + y))
    return r
