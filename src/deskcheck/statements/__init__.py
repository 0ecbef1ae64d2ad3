"""Experimental: read statements about a run in a model's free text, and check each against the run.

claims.py, facts.py, operations.py   sentences -> statements about variables, literals and calls
expressions.py, values.py            the value of a small expression; every value that a run has
rounds.py, occurrences.py            iterations of loops; the place of a value in the run
decisions.py, growth.py              checks that decided a result; items that accumulated it
verdicts.py, reasoning.py            whether a statement is true, and where; all statements of a text

`docs/reasoning.md` says how often these verdicts are right. Only `deskcheck view --statements` imports this
package.
"""
