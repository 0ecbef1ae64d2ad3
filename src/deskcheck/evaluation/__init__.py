"""Evaluate models: ask the tasks of benchmarks with strategies, score the answers, write rows and logs.

plan.py            options of an evaluation, checked before anything runs; --filter; settings of requests
truth.py           programs of a benchmark, run in the sandbox -> tasks with a true answer
prepare.py         open models, tasks, warnings; the folder of a cell
prices.py          prices of tokens; the budget of --max-cost
client.py          one request through Inspect, or straight to our own engine; retries
inspect_task.py    tasks + strategy -> an Inspect task; provider.py: our models as Inspect models
step_scores.py     the first wrong step of a chain, and all of its steps
stores.py          truths and answers on disk, which later runs reuse
sample_records.py  verdicts (answers that must be executed run first, solutions/); samples and rows
logs.py            logs of `inspect eval`, converted for reports and comparisons
run.py             plans -> cells: ask them side by side, write their results
study.py           a study file -> plans that share one budget
terminal.py        `deskcheck eval`: progress, table, files; dry_run.py: prompts and costs before a run
execute.py         one program executed by a model, compared with the truth
grade.py           saved generations, graded offline; grade_runs.py: several runs; grade_report.py: output
grade_truths.py    truths for grading; grade_unread.py: replies without a readable answer
guesses.py         guesses that a reader of a page made, as a baseline
perturb.py         programs rewritten without a change of what they do
written_inputs.py  inputs that a model writes for `deskcheck build functions`
"""
