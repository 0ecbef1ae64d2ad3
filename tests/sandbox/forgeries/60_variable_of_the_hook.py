# way: threads without the tracer | tries: the variable of the hook is written, for one start only | want: refused
import threading


def work(out):
    for n in range(6):
        out.append(n)  # step


def f(x):
    out = []  # step
    hook, threading._trace_hook = threading._trace_hook, None
    thread = threading.Thread(target=work, args=(out,))
    thread.start()
    thread.join()
    threading._trace_hook = hook
    return len(out) + x  # step
