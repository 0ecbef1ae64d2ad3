"""The Python API, loaded by `import deskcheck`: objects that hold Python values, never handles of tables.

    trace.py     Trace, Step, State, Frame: one run, its steps, and the variables at each
    ask.py       Ask: questions to one run
    calls.py     deskcheck.trace, deskcheck.record: record running code in this process
    files.py     deskcheck.load, deskcheck.read_traces: traces from disk

`deskcheck/__init__.py` loads these names when they are used.
"""
