# way: threads without the tracer | tries: a thread of the module's body waits for the call | want: refused
import threading

out = []
go, done = threading.Event(), threading.Event()


def work():
    go.wait()
    for n in range(6):
        out.append(n)  # step
    done.set()
    go.clear()
    go.wait(0.2)


threading.Thread(target=work, daemon=True).start()


def f(x):
    go.set()
    done.wait()
    return len(out) + x  # step
