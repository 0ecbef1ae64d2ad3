# way: hooks that run untraced | tries: an audit hook works at an event of the program's own | want: refused
import sys

seen = []


def helper(event, arguments):
    if event == "work.please":
        for step in range(6):
            seen.append(step)  # step


sys.addaudithook(helper)


def f(x):
    sys.audit("work.please")  # step
    return len(seen) + x  # step
