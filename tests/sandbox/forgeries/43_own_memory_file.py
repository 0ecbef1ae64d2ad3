# way: descriptors and native code | tries: reads the keys in /proc/self/mem | want: refused
import os


def f(x):
    try:
        os.open("/proc/self/mem", os.O_RDWR)
        return 42
    except OSError:
        pass
    a = 6  # step
    return a + x  # step
