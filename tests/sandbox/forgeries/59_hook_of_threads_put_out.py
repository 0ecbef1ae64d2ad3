# way: threads without the tracer | tries: the hook that traces new threads is put out | want: refused
import threading


def work(out):
    for n in range(6):
        out.append(n)  # step


def f(x):
    out = []  # step
    threading.settrace(None)
    thread = threading.Thread(target=work, args=(out,))
    thread.start()
    thread.join()
    return len(out) + x  # step
