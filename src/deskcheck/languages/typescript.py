"""TypeScript: the parts of JavaScript, with a parser that knows types; see `languages/javascript/`."""

from __future__ import annotations

from functools import partial

from deskcheck.languages.javascript import bindings as bindings
from deskcheck.languages.javascript import call_arguments as call_arguments
from deskcheck.languages.javascript import colors as colors
from deskcheck.languages.javascript import first_argument as first_argument
from deskcheck.languages.javascript import is_canonical as is_canonical
from deskcheck.languages.javascript import key as key
from deskcheck.languages.javascript import literal as literal
from deskcheck.languages.javascript import omits as omits
from deskcheck.languages.javascript import plain as plain
from deskcheck.languages.javascript import read as read
from deskcheck.languages.javascript import reading
from deskcheck.languages.javascript import same as same
from deskcheck.languages.javascript import scalar as scalar
from deskcheck.languages.javascript import shape as shape
from deskcheck.languages.javascript import stated as stated
from deskcheck.languages.javascript import type_name as type_name
from deskcheck.languages.javascript import working as working
from deskcheck.languages.javascript import write as write
from deskcheck.languages.javascript.expressions import expressions as _expressions
from deskcheck.languages.javascript.words import words_of

WORDS = words_of("TypeScript")
_NAME = "typescript"
branching = partial(reading.branching, language=_NAME)
causes = partial(reading.causes, language=_NAME)
constructs = partial(reading.constructs, language=_NAME)
contents = partial(reading.contents, language=_NAME)
contradictions = partial(reading.contradictions, language=_NAME)
entry = partial(reading.entry, language=_NAME)
expressions = partial(_expressions, language=_NAME)
facts = partial(reading.facts, language=_NAME)
has_comment = partial(reading.has_comment, language=_NAME)
measures = partial(reading.measures, language=_NAME)
method_calls = partial(reading.method_calls, language=_NAME)
names_read = partial(reading.names_read, language=_NAME)
page_facts = partial(reading.page_facts, language=_NAME)
