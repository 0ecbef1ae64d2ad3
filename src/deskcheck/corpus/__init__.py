"""Generators and extractors of programs, from which the sources of programs are built.

grammar.py           random typed functions; expressions.py: their expressions
real_programs.py     functions like published code (real_statements.py, real_expressions.py, real_parts.py)
idioms/              functions filled into templates of code that people write
twins/               generated programs written a second time in JavaScript or C
written/             functions of the written corpus, as files
plain_run.py         runs of generated programs without a trace, which check the sizes of their values
texts.py             Python texts of a folder, commit, archive, package or file of rows
library.py           modules of the standard library and of installed packages
library_pins.py      functions of these modules as programs, identified by their sha256
library_module.py    names that a module binds; library_rules.py: names that a function may need
library_cut.py       a function cut out of its module
library_inputs.py    calls of such a function (library_words.py: values for them); drawn_inputs.py: more calls
methods.py           methods as entries; mutation.py: small changes of arguments
long_programs.py     programs that run a wanted number of steps
calls.py             calls in texts of users, models and asserts; definitions.py: what a text defines
interpreted.py       values of small pieces of code; rewriting.py: other literals in the same code
"""
