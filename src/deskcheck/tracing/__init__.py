"""Record what a run does, and play it back: programs go in, traces come out.

program.py                 a program with its call and its files
source_facts.py            what its text says before it runs
execution.py               a program prepared, its call run, how that ended
run.py, here.py            one run under the native tracer
collect.py                 many programs, or one, traced in the sandbox (job.py: what its child does)
packed.py                  a trace as one strict byte string, and the checks of one from a child
given.py                   whether the first call was given the program's arguments
replay.py                  a trace back into states, event by event
literal.py                 its values as the text of literals
counterfactual.py          a run again, with other values from a step on
reference/                 tracer and checks in Python: the fallback and the tests' second opinion

The tracer in C lies in native/, a folder a layer: values, objects, differences, flow, code, frames, writes,
events, and checks apart. native/core/core.h says what each holds.
Files and their order: docs/tracing.md.
"""
