# way: the request in our hands | tries: the arguments that wait for the call are exchanged | want: refused
import gc
from collections import deque


def f(x):
    return x + 6  # step


class Late:
    def __getattr__(self, name):
        raise AttributeError(name)


def exchange():
    for thing in gc.get_objects():
        if type(thing) is deque and len(thing) and thing[-1] == 3:
            thing[-1] = 36


import sys

sys.setprofile(lambda frame, event, argument: exchange())
