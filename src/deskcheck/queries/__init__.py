"""Answer questions about recorded runs: where a value came from, when a condition held, where two runs part.

    ask(Run(trace, program), "why total at step 17")   -> Why: the chain of writes that made the value
    ask(run, "where n > 10")                           -> Where: the steps before which it holds
    ask(run, "changes xs"), ask(run, "raised")         -> Changes, Raises
    diff(run_a, run_b)                                 -> Difference: the first step at which they part

run.py         Run: a trace with its source, and the line that made each change
answers.py     the answers, as text, dict and JSON
why.py         chains of writes; paths.py: values inside objects, `xs[0]`; changes.py: changes of one variable
where.py       conditions over recorded values
raised.py      exceptions and where they were caught
diff.py        two runs: corresponding lines, first different step; same.py: values of two runs compared
comparison.py  the page that shows two runs
ask.py         a question in words
explain.py     lines that are likely wrong: repairs, slices.py, spectra; cases.py: calls with right results
tools.py       the same for coding agents, in short answers; server.py: over the Model Context Protocol

Only explain.py, cases.py and tools.py run programs, by functions that their callers give them.
"""
