"""Solutions: answers that are code, run in the sandbox to be judged.

answers.py          predicted inputs, run through their program; answer_job.py: its part in the child
checks.py           a candidate and its tests in two processes; check_jobs.py, check_values.py: in the child
samples.py          HumanEval and MBPP solutions by the benchmark's own tests: `deskcheck grade --samples`
inspect_sandbox.py  the same containment as a sandbox of Inspect's
"""
