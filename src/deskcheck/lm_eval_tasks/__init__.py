"""Tasks of lm-evaluation-harness with our programs, truth and grader: YAML files and `tasks.py` beside them.

    lm_eval --include_path "$(python -m deskcheck.lm_eval_tasks.tasks)" --tasks deskcheck_core --model hf ..

`deskcheck_core`, `deskcheck_fresh` (a pinned seed) and `deskcheck_cruxeval` generate; `deskcheck_likelihood`
gives base models the log-likelihood of each true output of `core`. Tried with lm-evaluation-harness 0.4.13.
"""
