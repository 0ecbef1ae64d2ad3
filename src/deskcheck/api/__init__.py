"""The Python API: what `import deskcheck` offers, as objects that hold values and never table handles.

    trace.py     Trace, Step, State, Frame: one run, its steps, and the variables at each
    values.py    Python values rebuilt from a trace; StandIn for what is not plain data
    calls.py     deskcheck.trace, deskcheck.record: record running code in this process
    files.py     deskcheck.load, deskcheck.read_traces: traces from disk

`deskcheck/__init__.py` loads these names when they are used.
"""
