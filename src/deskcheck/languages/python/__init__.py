"""Python: the parts of a language that `languages.PARTS` lists.

facts.py       statements, loops, branches, assigned names, by lines
literals.py    literals read, written and compared
parsing.py     programs and expressions parsed without warnings
"""

from __future__ import annotations

from deskcheck.languages.python.facts import facts as facts
from deskcheck.languages.python.literals import read as read
from deskcheck.languages.python.literals import same as same
from deskcheck.languages.python.literals import write as write
