# way: hooks that run untraced | tries: a profile function set for all threads at once, or for this one | want: refused
import sys
import threading

total = [3]
set_for_all = getattr(threading, "setprofile_all_threads", sys.setprofile)


def helper(frame, event, argument):
    if event == "c_call" and argument is abs:
        total[0] += 3  # step


def f(x):
    set_for_all(helper)
    abs(x)  # step
    set_for_all(None)
    return total[0] + x  # step
