"""Show runs to people: in the terminal, and in one offline page.

terminal.py                a trace as lines of text, with the changes of each step
text.py                    source lines, values and outcomes as text
execution.py               a model's run beside the true one, as text
opening.py                 a file or folder as the content of a page
document.py, columns.py    the page of `deskcheck view`, and a trace as its data
belief.py, transcripts.py  a model's states beside the true ones, for the page
stating.py                 experimental: the belief of a reply in free text
failures.py, notebook.py   pages of failed tests; a page in a notebook
"""
