# call: f(3)
SEEN = {}


def f(k):
    SEEN[k] = len(SEEN)
    SEEN[k + 1] = 5
    return SEEN
