# way: hooks that run untraced | tries: a tool of sys.monitoring works at each line | want: refused
import sys

seen = []
monitoring = getattr(sys, "monitoring", None)


def helper(code, line):
    if not seen:
        seen.extend(range(6))  # step


def f(x):
    if monitoring is None:
        helper(None, 0)
    else:
        monitoring.use_tool_id(4, "helper")
        monitoring.register_callback(4, monitoring.events.LINE, helper)
        monitoring.set_events(4, monitoring.events.LINE)
    y = x  # step
    return len(seen) + y  # step
