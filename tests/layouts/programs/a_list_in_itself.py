# call: f([1])
def f(a):
    a.append(a)
    return len(a[1][1])
