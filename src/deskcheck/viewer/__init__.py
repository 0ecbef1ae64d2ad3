"""Show runs to people: in the terminal, and in one offline page.

terminal.py                a trace as lines of text, with the changes of each step
text.py                    source lines, values and outcomes as text
execution.py               a model's run beside the true one
stating.py                 experimental: the belief of a reply in free text
document.py                the content of the page of `deskcheck view`
"""
