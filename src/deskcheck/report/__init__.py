"""Reports: finished evaluations -> one HTML file that opens by double click, offline, for ever.

read.py       the folders that `deskcheck eval` wrote -> runs, and what tells two apart
numbers.py    accuracy by benchmark, family and executed steps, with intervals; paired differences
words.py      what came out, in sentences; doubts.py: what speaks against it, the worst first
charts.py     horizon curves over raw bins, accuracy against tokens, as SVG
steps.py      the first wrong step of each chain; judged.py: all of its steps
spent.py      calls, tokens, seconds, dollars
horizons.py   horizons by family, with the control without the code
shortcuts.py  state accuracy beside output accuracy, and REval's consistency
coherence.py  do answers of several kinds fit together
tables_of.py  rows of tables in words; sections.py: all that is said about one benchmark
answers.py    every answer packed for the page; beside.py: those that do not fit; walks.py: runs in steps
page.py       all of it through assets/page.html, style.css and the scripts
"""
