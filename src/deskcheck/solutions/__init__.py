"""Run answers that consist of code, in order to grade them; they run in the sandbox.

answers.py          predicted inputs, run with their program; answer_job.py is the job in the sandbox
checks.py           a solution and its tests in two processes: check_jobs.py has the two jobs, check_values.py
                    and class_values.py the values that they exchange
samples.py          HumanEval and MBPP solutions, graded by the benchmark's tests: `deskcheck grade --task
                    solution`
inspect_sandbox.py  deskcheck's containment as a sandbox for Inspect
"""
