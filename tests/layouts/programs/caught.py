# call: f({'a': 1}, 'b')
def f(d, k):
    try:
        return d[k]
    except KeyError as error:
        n = len(error.args)
        return n
