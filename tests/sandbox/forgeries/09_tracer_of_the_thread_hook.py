# way: trace functions and monitoring | tries: stops the tracer that threading's hook belongs to | want: refused
import threading


def f(x):
    hook = threading.gettrace()
    core = getattr(hook, "__self__", None)
    if core is not None:
        core.stop()
    a = 1  # step
    a = 2  # step
    return a + x + 4  # step
