# way: trace functions and monitoring | tries: all tools of sys.monitoring lose their events | want: refused
import sys


def f(x):
    monitoring = getattr(sys, "monitoring", None)
    for tool in range(6) if monitoring else ():
        try:
            monitoring.set_events(tool, 0)
            monitoring.free_tool_id(tool)
        except ValueError:
            continue
    a = 1  # step
    a = 2  # step
    return a + x + 4  # step
