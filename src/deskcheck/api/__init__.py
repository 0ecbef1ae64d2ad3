"""The Python API: the functions and classes that `import deskcheck` offers. Their values are Python values.

    trace.py        Trace, Step, State, Frame, Exit: one run, its steps, and the variables at each
    ask.py          Ask: questions to one run
    calls.py        deskcheck.trace, deskcheck.record: record running code in this process
    cells.py        the cell magic %%deskcheck of notebooks
    files.py        deskcheck.load, read_traces: traces from disk; trace_file: run a file in the sandbox
    executing.py    deskcheck.execute: let a model execute a call
    evaluating.py   deskcheck.evaluate, deskcheck.results: ask a model a benchmark, read the answers
    grading.py      deskcheck.grade: score one answer
    datasets.py     deskcheck.build, deskcheck.load_dataset: datasets of traces

`deskcheck/__init__.py` loads these names when they are used.
"""
