"""C, for small programs: each is rewritten with calls that record it, compiled by gcc and run in the sandbox.

    trace_packed([make_program(source, "f", "3", origin="files:a.c", language="c")], Limits())

source.py     preprocessor and parser, with the headers of `headers/`; types.py: the table of types
instrument.py writes the recording calls, the probes; `runtime/probes.h` declares them, `runtime/record.c` is
              the recorder; declared.py: declared types with other names
compiler.py   gcc, with and without its sanitizers; engine.py: processes; worker.py: such a process
tracer.py     the interface of the tracer, with `trace_packed`
unassigned.py refuses runs that depend on memory without a value
facts.py      facts about a program's text; reading.py: more of them, for pages, warnings and rewards
answers.py    values that a short text states
literals.py   literals read, written and compared; spelling.py: values of a trace
colors.py     tokens of one line; words.py: words for the language in the texts of questions

Needs the extra `c` (pycparser) and gcc with its libasan. Literals and colors need neither.
"""

from __future__ import annotations

from deskcheck.languages.c.answers import bindings as bindings
from deskcheck.languages.c.answers import call_arguments as call_arguments
from deskcheck.languages.c.answers import first_argument as first_argument
from deskcheck.languages.c.answers import omits as omits
from deskcheck.languages.c.colors import colors as colors
from deskcheck.languages.c.facts import entry as entry
from deskcheck.languages.c.facts import facts as facts
from deskcheck.languages.c.literals import plain as plain
from deskcheck.languages.c.literals import read as read
from deskcheck.languages.c.literals import same as same
from deskcheck.languages.c.literals import type_name as type_name
from deskcheck.languages.c.literals import write as write
from deskcheck.languages.c.reading import branching as branching
from deskcheck.languages.c.reading import contents as contents
from deskcheck.languages.c.reading import has_comment as has_comment
from deskcheck.languages.c.reading import names_read as names_read
from deskcheck.languages.c.reading import page_facts as page_facts
from deskcheck.languages.c.spelling import key as key
from deskcheck.languages.c.spelling import literal as literal
from deskcheck.languages.c.spelling import scalar as scalar
from deskcheck.languages.c.spelling import shape as shape
from deskcheck.languages.c.words import WORDS as WORDS
