# way: hooks that run untraced | tries: the clock of a profiler written in C is a function of the program | want: refused
import cProfile

seen = []


def clock():
    if len(seen) < 6:
        seen.append(0)  # step
    return 0.0


def f(x):
    profiler = cProfile.Profile(clock)
    profiler.enable()
    for _ in range(9):
        len(seen)  # step
    profiler.disable()
    return len(seen) + x  # step
