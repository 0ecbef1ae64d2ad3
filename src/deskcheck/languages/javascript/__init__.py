"""JavaScript and TypeScript: programs are rewritten with probes and run in V8, in a contained process.

    trace_packed([make_program(source, "f", "3", origin="files:a.js", language="javascript")], Limits())

`tracer.py` is the interface, `engine.py` the processes, `worker.py` such a process. `engine/*.js` runs in V8:
`instrument.js` inserts the probes, `recorder.js` records what they report, `host.js` is what a program finds
around it. `vendor/` has the parsers, pinned by hash. Only `tracer.trace_packed`
is for others. Needs the extra `javascript` (the package mini-racer).
"""
