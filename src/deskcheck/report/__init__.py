"""Reports: finished evaluations -> one HTML file that opens by double click, offline, for ever.

read.py       the folders that `deskcheck eval` wrote -> runs
numbers.py    accuracy by benchmark, family and executed steps, with intervals; paired differences
words.py      what came out, in sentences
chart.py      accuracy against executed steps as SVG
steps.py     the first wrong step of each chain; judged.py: all of its steps
spent.py     calls, tokens, seconds, dollars
horizons.py  horizons by family, with the control without the code
coherence.py do answers of several kinds fit together; consistency.py: REval's score
names.py     what tells two runs apart
tables_of.py rows of tables in words
tasks.py      the task table: one row a task, everything that was asked and answered behind it
page.py       all of it through page.html, style.css and script.js
"""
