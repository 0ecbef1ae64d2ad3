def f(a, b):
    steps = 0
    while b != 0:
        r = a % b
        a = b
        b = r
        steps += 1
    return a * 100 + steps
