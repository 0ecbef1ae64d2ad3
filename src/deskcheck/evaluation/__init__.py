"""Evaluation: benchmark x strategy x model -> verdicts, rows, logs.

plan.py          what was asked for, checked before anything runs
truth.py         items of a benchmark, run in the sandbox -> tasks
prepare.py       models that open, tasks with a truth
marks.py         what a model was not trained on: said before the run, marked in its row
chosen.py        --filter
generation.py    what is asked of a model beyond the prompt
prices.py        what tokens cost; budget.py: --max-cost
asking.py        one question through Inspect, or straight to our own engine; sending.py: its tries
inspect_task.py  tasks + strategy -> an Inspect task
judge.py         verdicts; what has to be executed for one is executed first
divergence.py    the first wrong step of a chain; judged.py: all of its steps
kept.py          what was answered, appended as it comes; the same command goes on from it
sampled.py       one sample as the results hold it
logs.py          logs of `inspect eval`, taken out for reports and comparisons
rows.py          verdicts -> the counts and the interval of one table row
cell.py          what one model x benchmark x strategy depends on, and the folder it lives in
run.py           plans -> cells; cells.py: cells asked side by side, written down
study.py         a study file -> plans on one budget
run_info.py      command, commit, versions, sandbox level
shown.py         what the terminal sees: progress and table; dry_run.py: prompts and costs before a run
command.py       `deskcheck eval`; execute.py: one program beside the truth
grade.py         saved generations, re-graded offline; graded.py shows it
"""
