"""What sources of programs are made of.

grammar.py           random typed functions; expressions.py: their expressions
real_programs.py     functions like code in use (real_statements.py, real_expressions.py, real_parts.py)
plain_run.py         a run of such a program in this process: how it ends, whether it stays small
library_pins.py      functions of the standard library and of packages, known by their sha256
library_module.py    what a module binds; library_rules.py: what a function may need of it
library_cut.py       a function cut out of its module; library_inputs.py: calls of it
long_programs.py     programs that run a wanted number of steps
"""
