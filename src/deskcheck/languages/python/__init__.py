"""Python: the parts of a language that `languages.PARTS` lists.

facts.py       statements, loops, branches, assigned names, by lines
entry.py       lines of the function that is called
answers.py     values and arguments that a short text states
literals.py    literals read, written and compared
bindings.py    assignments in a text; asserts.py: calls with expected results
operations.py  expressions with values for their parts; working.py: intermediate results of operations
bytecode.py    instructions of every line
syntax.py      tokens, branches and reads for a page
contents.py    kinds of statements, constructs, calls and names in a text
causes.py      kinds of operation in each statement
conditions.py  expressions over recorded values; edits.py: small changes of one statement
measures.py    measures of code
perturb.py     programs rewritten so that they do the same
parsing.py     programs and expressions parsed without warnings
words.py       words for Python in the texts of questions
"""

from __future__ import annotations

from deskcheck.languages.python.answers import call_arguments as call_arguments
from deskcheck.languages.python.answers import omits as omits
from deskcheck.languages.python.answers import stated as stated
from deskcheck.languages.python.asserts import stated_calls as stated_calls
from deskcheck.languages.python.bindings import bindings as bindings
from deskcheck.languages.python.bytecode import listing as listing
from deskcheck.languages.python.causes import causes as causes
from deskcheck.languages.python.causes import contradictions as contradictions
from deskcheck.languages.python.causes import is_inlined as is_inlined
from deskcheck.languages.python.conditions import condition as condition
from deskcheck.languages.python.contents import branching as branching
from deskcheck.languages.python.contents import constructs as constructs
from deskcheck.languages.python.contents import contents as contents
from deskcheck.languages.python.contents import effect as effect
from deskcheck.languages.python.contents import first_argument as first_argument
from deskcheck.languages.python.contents import form_of as form_of
from deskcheck.languages.python.contents import has_comment as has_comment
from deskcheck.languages.python.contents import method_calls as method_calls
from deskcheck.languages.python.contents import names_read as names_read
from deskcheck.languages.python.edits import edits as edits
from deskcheck.languages.python.entry import entry as entry
from deskcheck.languages.python.facts import facts as facts
from deskcheck.languages.python.literals import is_canonical as is_canonical
from deskcheck.languages.python.literals import key as key
from deskcheck.languages.python.literals import literal as literal
from deskcheck.languages.python.literals import plain as plain
from deskcheck.languages.python.literals import read as read
from deskcheck.languages.python.literals import same as same
from deskcheck.languages.python.literals import scalar as scalar
from deskcheck.languages.python.literals import shape as shape
from deskcheck.languages.python.literals import type_name as type_name
from deskcheck.languages.python.literals import write as write
from deskcheck.languages.python.measures import measures as measures
from deskcheck.languages.python.operations import expressions as expressions
from deskcheck.languages.python.parsing import is_expression as is_expression
from deskcheck.languages.python.perturb import PERTURBATIONS as PERTURBATIONS
from deskcheck.languages.python.syntax import colors as colors
from deskcheck.languages.python.syntax import page_facts as page_facts
from deskcheck.languages.python.words import WORDS as WORDS
from deskcheck.languages.python.working import working as working
