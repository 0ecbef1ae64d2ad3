"""Reports of finished evaluations: one HTML file that opens offline in any browser.

read.py       the folders that `deskcheck eval` wrote -> runs with distinct names
numbers.py    accuracy by executed steps and other groups, with intervals
words.py      the findings in sentences; doubts.py: reasons to distrust them, the worst first
charts.py     horizon curves over raw bins, accuracy against tokens, as SVG
steps.py      the first wrong step of each chain; judged.py: all of its steps
spent.py      calls, tokens, seconds, dollars
horizons.py   horizons by family, with the control without the code
shortcuts.py  state accuracy beside output accuracy, and REval's consistency
coherence.py  consistency of answers to several kinds of question
tables_of.py  rows of tables in words; sections.py: the section of one benchmark
breakdown.py  right answers by properties of tasks; complexity.py: classes of stated complexities
compare.py    the difference of two evaluations on the same tasks; study.py: each strategy against baselines
answers.py    every answer packed for the page; beside.py: answers that do not fit; walks.py: runs in steps
page.py       the page, made with assets/page.html, style.css and the scripts
"""
