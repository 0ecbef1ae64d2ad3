# way: threads without the tracer | tries: a thread that the module threading does not know, by a name made at run time | want: refused
import time

start = getattr(__import__("_thr" + "ead"), "start_" + "new_thread")


def work(out):
    for n in range(6):
        out.append(n)  # step


def f(x):
    out = []  # step
    start(work, (out,))
    while len(out) < 6:
        time.sleep(0.01)
    return len(out) + x  # step
