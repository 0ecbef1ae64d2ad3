# way: trace functions and monitoring | tries: takes the record away from the tracer that threading's hook belongs to | want: refused
import threading


def f(x):
    core = getattr(threading.gettrace(), "__self__", None)
    if core is not None:
        core.finish()
    a = 1  # step
    a = 2  # step
    return a + x + 4  # step
