"""Tasks of lm-evaluation-harness with deskcheck's programs, truth and grader: YAML files and `tasks.py`.

    lm_eval --include_path "$(python -m deskcheck.lm_eval_tasks.tasks)" --tasks deskcheck_core --model hf ..

In `deskcheck_core`, `deskcheck_fresh` (with a pinned seed) and `deskcheck_cruxeval` the model generates an
answer. `deskcheck_likelihood` is for base models: the log-likelihood of each true output of `core`. Tested
with lm-evaluation-harness 0.4.13.
"""
