"""Record what a run does, and play it back: programs go in, traces come out.

program.py, bundle.py      a program with its call and its files
execution.py               a program prepared, its call run, how that ended
run.py, here.py            one run under the native tracer; native.c and the other C files are that tracer
collect.py, request.py     many programs, or one, traced in the sandbox (job.py: what its child does)
packed.py                  a trace as one strict byte string
validate.py, claims.py     what the parent checks of a trace from a child
replay.py                  a trace back into states, event by event
counterfactual.py          a run again, with other values from a step on
reference/                 tracer and checks in Python: the fallback and the tests' second opinion

The C files, lowest first:
  columns and values       columns, stream, values, texts
  code facts               codes, labels, lines, symbols, spans
  state                    watch, shapes, readers, shadows, heap, look, deltas .., frames, stack, modules
  write sets               touch, follow, callees, effects, reach
  events                   threads, events, steps, calls, tracer, collector, tampering
  checks/                  check, replay, packing: a layer of its own (docs/decisions/021)
Files and their order: docs/tracing.md.
"""
