"""Evaluation: benchmark x strategy x model -> verdicts, rows, logs.

plan.py            what was asked for, checked before anything runs; --filter; settings of every call
truth.py           items of a benchmark, run in the sandbox -> tasks
prepare.py         models, tasks with a truth, warnings; what answers depend on, and their folder
prices.py          what tokens cost; --max-cost
client.py          one question through Inspect, or straight to our own engine; its tries
inspect_task.py    tasks + strategy -> an Inspect task; provider.py: our models as Inspect models
step_scores.py     the first wrong step of a chain, and all of its steps
stores.py          truths and answers on disk; the same command goes on from them
sample_records.py  verdicts (what has to be executed is executed first, solutions/); samples and rows
logs.py            logs of `inspect eval`, taken out for reports and comparisons
run.py             plans -> cells, asked side by side, written down
study.py           a study file -> plans on one budget
terminal.py        `deskcheck eval`: progress, table, files; dry_run.py: prompts and costs before a run
execute.py         one program by a model beside the truth
grade.py           saved generations, graded offline; grade_runs.py: several runs; grade_report.py shows them
"""
