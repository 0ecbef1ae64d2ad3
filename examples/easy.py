def f(n, xs):
    xs.append(n)
    if n > 2:
        n -= 1
    total = n + len(xs)
    return total


# A short program: deskcheck trace examples/easy.py --call "f(3, [5])"
