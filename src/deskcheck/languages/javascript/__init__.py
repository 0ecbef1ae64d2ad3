"""JavaScript: each program is rewritten with calls that record it, the probes, and runs in V8 in the sandbox.

    trace_packed([make_program(source, "f", "3", origin="files:a.js", language="javascript")], Limits())

tracer.py     the interface of the tracer; engine.py: its processes; worker.py: such a process
reading.py    facts about a text, made by acorn in such a process
literals.py   literals read and written; values.py: their values and equality; spelling.py: values of a trace
expressions.py expressions with values for their parts; working: intermediate results of operations
answers.py    values and arguments that a short text states
colors.py     tokens of one line; words.py: words for the language in the texts of questions

`engine/*.js` runs in V8. `instrument.js` inserts the probes (`calls.js`: what a call may change; `types.js`:
replaces types by spaces), and `recorder.js` with its parts records what they report. `expressions.js` spells
expressions. `facts.js`, `page.js` and `forms.js` make the facts about a text. `host.js` has the objects that
a program finds around it, such as `console`. `vendor/` has the parsers, pinned by hash.

Everything but literals and colors needs the extra `javascript` (the package mini-racer). TypeScript has the
same parts (`languages/typescript.py`).
"""

from __future__ import annotations

from deskcheck.languages.javascript.answers import bindings as bindings
from deskcheck.languages.javascript.answers import call_arguments as call_arguments
from deskcheck.languages.javascript.answers import first_argument as first_argument
from deskcheck.languages.javascript.answers import omits as omits
from deskcheck.languages.javascript.answers import stated as stated
from deskcheck.languages.javascript.colors import colors as colors
from deskcheck.languages.javascript.expressions import expressions as expressions
from deskcheck.languages.javascript.expressions import working as working
from deskcheck.languages.javascript.literals import is_canonical as is_canonical
from deskcheck.languages.javascript.literals import plain as plain
from deskcheck.languages.javascript.literals import read as read
from deskcheck.languages.javascript.literals import write as write
from deskcheck.languages.javascript.reading import branching as branching
from deskcheck.languages.javascript.reading import causes as causes
from deskcheck.languages.javascript.reading import constructs as constructs
from deskcheck.languages.javascript.reading import contents as contents
from deskcheck.languages.javascript.reading import contradictions as contradictions
from deskcheck.languages.javascript.reading import entry as entry
from deskcheck.languages.javascript.reading import facts as facts
from deskcheck.languages.javascript.reading import has_comment as has_comment
from deskcheck.languages.javascript.reading import measures as measures
from deskcheck.languages.javascript.reading import method_calls as method_calls
from deskcheck.languages.javascript.reading import names_read as names_read
from deskcheck.languages.javascript.reading import page_facts as page_facts
from deskcheck.languages.javascript.spelling import key as key
from deskcheck.languages.javascript.spelling import literal as literal
from deskcheck.languages.javascript.spelling import scalar as scalar
from deskcheck.languages.javascript.spelling import shape as shape
from deskcheck.languages.javascript.values import same as same
from deskcheck.languages.javascript.values import type_name as type_name
from deskcheck.languages.javascript.words import words_of

WORDS = words_of("JavaScript")
