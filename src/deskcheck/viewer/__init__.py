"""Show runs to people: in the terminal, and in one offline page.

terminal.py                a trace as lines of text, with what changed
text.py                    lines, values and endings as people read them
execution.py               a model's run beside the true one
document.py                what the page of `deskcheck view` holds
"""
