# call: f([[1, -2], [3], []])
def f(rows):
    t = 0
    for row in rows:
        for x in row:
            if x < 0:
                continue
            t += x
        else:
            t += 100
    return t
