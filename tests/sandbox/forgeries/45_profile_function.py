# way: hooks that run untraced | tries: a profile function works while a built-in is called | want: refused
import sys

total = [3]


def helper(frame, event, argument):
    if event == "c_call" and total[0] == 3:
        for _ in range(3):
            total[0] += 1  # step
        sys.setprofile(None)


def f(x):
    sys.setprofile(helper)
    abs(x)  # step
    return total[0] + x  # step
