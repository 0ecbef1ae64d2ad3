# way: descriptors and native code | tries: the result descriptor leads elsewhere while ours write to it | want: refused
import os


def f(x):
    r, w = os.pipe()
    os.dup2(w, 3)
    a = 6  # step
    return a + x  # step
