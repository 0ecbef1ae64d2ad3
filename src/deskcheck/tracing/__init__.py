"""Record what a run does, and play it back: programs go in, traces come out.

program.py, bundle.py      a program with its call and its files
collect.py, request.py     many programs, or one, traced in the sandbox (job.py: what its child does)
native.c and *.c           the native tracer; tracer.py and reference.py: the same in plain Python
heap.py, values.py, ..     objects, values and differences as columns
packed.py                  a trace as one strict byte string
validate.py                what the parent checks of a trace from a child
replay.py                  a trace back into states, event by event
counterfactual.py          a run again, with other values from a step on

Files and their order: docs/tracing.md.
"""
