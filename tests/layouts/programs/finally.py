# call: f(1)
def f(n):
    r = []
    try:
        r.append(1 // n)
    finally:
        r.append("done")
    return r
