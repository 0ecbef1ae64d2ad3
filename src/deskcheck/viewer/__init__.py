"""Show runs to people: in the terminal, and in one offline page.

terminal.py, paint.py      a trace as lines of text, with what changed
values.py, fine.py         values and single expressions as people read them
sources.py, ending.py      the program's lines; how a run ended
execution.py               a model's run beside the true one
document.py                what the page of `deskcheck view` holds
"""
