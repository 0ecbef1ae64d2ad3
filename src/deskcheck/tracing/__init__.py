"""Record runs of programs as traces, and rebuild the states of a run from its trace.

The main files:

program.py                 a program with its call and its files
source_facts.py            facts about a program's text before it runs
execution.py               preparation of a program, its call, and the outcome
run.py, here.py            one run under the native tracer
collect.py                 programs traced in the sandbox, many or one (job.py: the child's side)
packed.py                  a trace as one strict byte string, and the checks of one from a child
given.py                   whether the first call was given the program's arguments
replay.py                  the states of a trace, event by event
literal.py                 values of a trace as the text of literals
counterfactual.py          a run again, with other values from a step on
reference/                 tracer and checks in Python: the fallback and the tests' second opinion

The tracer in C is in native/, one folder per layer: values, objects, differences, flow, code, frames, writes,
events; the checks have a separate folder. native/core/core.h describes the layers.
docs/tracing.md says what a trace records.
"""
