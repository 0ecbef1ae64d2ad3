# call: f('a\ud800"\'')
def f(s):
    t = s + "\n; | #1"
    u = t.split(";")
    return u
