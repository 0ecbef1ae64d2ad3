"""Run answers that are code in the sandbox, to grade them.

answers.py          predicted inputs, run by their program; answer_job.py is its part in the sandbox
checks.py           a solution and its tests in two processes, by check_jobs.py and (check|class)_values.py
samples.py          HumanEval and MBPP solutions, graded by its tests: `deskcheck grade --task solution`
inspect_sandbox.py  deskcheck's containment as a sandbox for Inspect
"""
