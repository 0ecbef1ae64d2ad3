"""Hide secrets in a recorded run before it is shown or stored: passwords, tokens, keys.

    redactor = Redactor(Rules.of(Path.cwd()), environment=os.environ)
    redactor.run(program, trace) -> (program, trace)      with a note that counts the hidden texts
    redactor.text("token ghp_..")                         any other text of the same run, with "[redacted]"
    redactor.printed(b"token ghp_..")                     its printed output, with a star for each byte
    hidden(recorded) -> Recorded                          everything that one command recorded
    with hidden_in_errors(redactor): ..                   messages that quote a run

A value is a secret by the name that holds it (variable, attribute, key of a dictionary, argument, environment
variable) or by its form; `tables` lists both with reasons. What is known to be a secret is hidden
wherever else it stands, whole or in long pieces: in longer texts, in the source, in printed output, in
messages, and as URLs, JSON and base64 write it. `[tool.deskcheck.redact]` in pyproject.toml adds names and
forms, and takes names out:

    names = { "pin|tan" = "numbers that open an account" }
    patterns = { "CUST-[0-9]{8}" = "customer numbers" }
    keep = ["token"]                                        names that hold no secrets here

Not covered: secrets of other forms under other names; computed forms of a secret (encrypted, reversed, a few
characters at a time). Elsewhere than under their names, secrets of fewer than 4 characters are not covered
either, nor those of 4 or 5 characters inside longer texts.
"""

from __future__ import annotations

import base64
import json
import os
import re
import tomllib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate, pairwise
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import astuple, replace

from deskcheck.errors import UserError
from deskcheck.format.buffers import COLUMN_NUMBER, GROUPS, TEXTS, Packed, packed_of, trace_of, view_of
from deskcheck.records import ObjectKind, Outcome, Place, Program, Trace, ValueColumns, ValueKind
from deskcheck.tracing.program import Bundle, arguments_of, bundle_of, is_script, make_program, prelude_of
from deskcheck.tracing.redaction.masks import Secret, masked, secrets_in, stars
from deskcheck.tracing.redaction.tables import FORMS, NAMES, NOTHING, RANDOM_NAMES, STARTS
from deskcheck.tracing.requests import Recorded

HIDDEN = "[redacted]"
SHORTEST = 6
"""Characters of the shortest secret that is hidden inside longer texts too."""
_SHORTEST_ALONE, _SHORTEST_PIECE = 4, 8
"""Characters of the shortest secret that is hidden as a whole text, and of the shortest piece of a secret."""
_MOST_TAIL = 400
"""Characters before an appended text in which a secret may begin; the two are searched together."""
_MOST_LETTERS = 20_000
"""Characters of the longest value that can be a secret."""
_NAME = r"(?<![\w-])(?P<name>[A-Za-z_-][\w.-]{1,40})"
_QUOTED = r"[bru]{0,2}\\*\"(?P<double>[^\"\\\n]{1,300})|[bru]{0,2}\\*'(?P<single>[^'\\\n]{1,300})"
_PLAIN = r"[^\s\"'`&;,{}()\[\]<>\\]{4,300}"
_STATED = [
    re.compile(rf"{_NAME}\\*[\"'`]?\s{{0,3}}(?:=>|[:=]?=)\s{{0,3}}(?:{_QUOTED}|(?P<plain>{_PLAIN}))"),
    re.compile(
        rf"{_NAME}\\*[\"'`]?\s{{0,3}}:\s{{0,3}}(?:{_QUOTED}|(?P<plain>{_PLAIN})(?=\s*(?:$|[\r\n,;&)}}\]\"'`\\])))"
    ),
    re.compile(rf"(?<![\w-])--?(?P<name>[A-Za-z][\w-]{{1,40}})[\"']?,?\s+[\"']?(?P<plain>(?!-){_PLAIN})"),
]
"""A name and its value as texts state them: name=value, "name": "value", --name value."""
_IN_CODE = [re.compile(rf"{_NAME}\\*[\"'`]?\s{{0,3}}(?:=>|[:=])\s{{0,3}}(?:{_QUOTED})")]
"""The same in the source of a program: only quoted values, because unquoted ones are expressions."""
_STRINGS = (ValueKind.STR, ValueKind.CONCAT)
_TEXTS = (ValueKind.STR, ValueKind.BYTES, ValueKind.OPAQUE)
_ERRORS = ("surrogatepass", "surrogateescape")
_HOLDERS = (ObjectKind.LIST, ObjectKind.TUPLE, ObjectKind.DICT, ObjectKind.SET, ObjectKind.FROZENSET)
_PART = r"(?:[A-Z]{1,3}|[A-Z]?[a-z]+(?:[A-Z][a-z]{2,})*)"
_WORDS = re.compile(rf"_?{_PART}(?:[._]{_PART})*[.,]?")
"""Words as the names of a program join them: `key=str.lower`, `key = G.add_edge` state no secret."""
Mask = Callable[[str], str]


class Rules(Struct, frozen=True):
    """Names and forms of secrets."""

    names: re.Pattern[str]
    random_names: re.Pattern[str]
    """Names whose values are secrets only if they look random."""
    mentions: re.Pattern[str]
    """Pattern of words; a source without any of them is not searched for secret literals."""
    forms: list[re.Pattern[str]]
    keep: frozenset[str]
    """Names that hold no secrets, as `_plain` writes them."""

    @staticmethod
    def of(folder: Path) -> Rules:
        """Return the rules, with those that a folder's pyproject.toml adds; UserError if these are wrong."""
        path, own = folder / "pyproject.toml", {}
        try:
            if path.is_file():
                own = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {}).get("deskcheck", {})
            table = own.get("redact", {})
            names = [*NAMES, *table.get("names", {})]
            return Rules(
                _name_pattern(names),
                _name_pattern(list(RANDOM_NAMES)),
                re.compile(f"(?i:{'|'.join(names)})|(?<![A-Za-z])(?i:{'|'.join(RANDOM_NAMES)})\\b|{STARTS}"),
                [re.compile(form) for form in [*FORMS, *table.get("patterns", {})]],
                frozenset(name.lower() for name in table.get("keep", [])),
            )
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, AttributeError, TypeError, re.error) as error:
            raise UserError(f"{path}: [tool.deskcheck.redact] cannot be read: {error}") from None

    def is_telling(self, name: str) -> bool:
        """Whether any value of that name is a secret."""
        plain = _plain(name)
        return plain not in self.keep and self.names.search(plain) is not None

    def is_suspect(self, name: str) -> bool:
        """Whether a value of that name can be a secret: always (`is_telling`), or if it looks random."""
        return self.is_telling(name) or (
            _plain(name) not in self.keep and self.random_names.search(_plain(name)) is not None
        )

    def is_secret(self, name: str, value: str) -> bool:
        """Whether a text or a whole number that a name holds is a secret."""
        if not value or len(value) > _MOST_LETTERS or value.lower() in NOTHING:
            return False
        if self.is_telling(name):
            is_folder = _plain(name) == "pwd" and value[0] in "/~."  # PWD is the shell's current folder
            return not is_folder and not (value.lstrip("-").isdigit() and len(value) < _SHORTEST_ALONE)
        return self.is_suspect(name) and is_random(value)

    def is_stated(self, name: str, value: str) -> bool:
        """Whether name=value in a text states a secret; a suspect name needs a value unlike words."""
        if self.is_secret(name, value):
            return True
        return self.is_suspect(name) and _is_distinct(value.strip()) and not _WORDS.fullmatch(value)

    def has_form(self, text: str) -> bool:
        """Whether a part of a text has the form of a secret, or states a name with its secret value."""
        return any(form.search(text) for form in self.forms) or any(
            self.is_secret(name, value) for name, value in _stated(text, _STATED)
        )


def _plain(name: str) -> str:
    """Return a name as the tables write it: "X-Api-Key", "box.apiKey" -> "x_api_key", "api_key"."""
    last = name.rpartition(".")[2]
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", last).lower().strip("_-").replace("-", "_")


def _name_pattern(names: list[str]) -> re.Pattern[str]:
    return re.compile(rf"(?:^|_)(?:{'|'.join(names)})(?:_\d+|\d+|_value|_text|_string)?$")


def is_random(text: str) -> bool:
    """Whether a text looks random: 16 characters or more, 8 different ones, 2 digits, no space or bracket."""
    if len(text) < 16 or re.search(r"[\s\\,:;(){}\[\]]", text):
        return False
    # A path or a dotted name counts only if it mixes upper and lower case.
    if re.search(r"[/.]", text) and not (re.search("[a-z]", text) and re.search("[A-Z]", text)):
        return False
    return sum(map(str.isdigit, text)) >= 2 and len(set(text)) >= 8 and not text.isdigit()


def _is_distinct(value: str) -> bool:
    """Whether a value is unlike a word, so that it can be looked for elsewhere."""
    is_word = value.isdigit() or (value[1:].islower() and value.isalpha())
    return len(value) >= SHORTEST and not is_word and not value.isupper()


def _stated(text: str, patterns: list[re.Pattern[str]]) -> Iterator[tuple[str, str]]:
    """Yield the names and values that a text states, such as ("token", "abc") in "token=abc"."""
    for pattern in patterns:
        for match in pattern.finditer(text):
            yield match["name"], next(filter(None, list(match.groupdict().values())[1:]), "")


class Redactor:
    """The rules, and the secrets of one run."""

    def __init__(self, rules: Rules, *, environment: Mapping[str, str], option: str = "--no-redact") -> None:
        """Set what is known before the run. `option`: the option that shows secrets, for the trace's note."""
        self._rules, self._option = rules, option
        self._secrets: set[str] = set()
        """Texts that are hidden wherever they stand."""
        self._alone: set[str] = set()
        """Shorter secrets, which are hidden only where they are the whole text."""
        self._pieces: str | None = None
        self._pattern: re.Pattern[str] | None = None
        self.n_hidden = 0
        """Number of texts that were changed."""
        self._secrets_of: dict[str, list[Secret]] = {}  # text of a program -> its secrets
        self._is_seen = False  # whether a value of a run is a secret by its form
        self._learn(
            value
            for name, value in environment.items()
            if len(value) >= SHORTEST and rules.is_secret(name, value)
        )

    @staticmethod
    def here(option: str = "--no-redact") -> Redactor:
        """Return a redactor with the rules of the current folder and this process's environment."""
        return Redactor(Rules.of(Path.cwd()), environment=os.environ, option=option)

    # ------------------------------------------------------------------ secrets of a run

    def run(self, program: Program | None, trace: Trace) -> tuple[Program | None, Trace]:
        """Return the run without its secrets; a note says how many texts were changed."""
        self.learn(program, [trace])
        program = program and self.program(program)
        return program, self.trace(trace, program.id if program else trace.program_id)

    def learn(self, program: Program | None, traces: Sequence[Trace], *, output: bytes = b"") -> None:
        """Note the secrets of a program, of its runs and of what it printed."""
        if program is not None:
            self._learn_program(program)
        self._learn_in(output.decode("utf-8", "replace"), stated=_STATED)
        for trace in traces:
            self._bindings(trace)
            rows = "\n".join([start + rest for _, start, rest in _texts(trace.values)])
            text = "\n".join([rows, *_words(trace.outcome)])
            self._is_seen |= self._rules.has_form(text)
            self._learn_in(text, stated=_STATED)

    def _learn_program(self, program: Program) -> None:
        bundle = bundle_of(program)
        sources = [program.source, *(bundle.files.values() if bundle else ())]
        others = (
            [bundle.stdin, *(data.decode("utf-8", "replace") for data in bundle.data.values())]
            if bundle
            else []
        )
        call = program.arguments
        if is_script(program):
            call = " ".join(arguments_of(program))
            self._learn(value for name, value in _stated(call, _STATED) if self._rules.is_suspect(name))
        for source in (*sources, f"_({program.arguments})"):
            self.learn_source(source, program.language)
        for text in (call, *others):
            self._learn_in(text, stated=_STATED)

    def learn_source(self, source: str, language: str = "python") -> None:
        """Note the secrets in the text of a program."""
        self._learn_in(source, stated=() if language == "python" else _IN_CODE)
        if language == "python" and self._rules.mentions.search(source):
            for found in self._secrets_in(source):
                self._learn_in(found.text, is_named=not self._rules.has_form(found.text))

    def _secrets_in(self, source: str) -> list[Secret]:
        """Return the secrets in the text of a Python program, which is searched once."""
        if source not in self._secrets_of:
            self._secrets_of[source] = secrets_in(source, self._rules)
        return self._secrets_of[source]

    def _learn(self, texts: Iterable[str]) -> None:
        for text in texts:
            if len(text) >= SHORTEST:
                self._secrets.add(text)
            elif len(text) >= _SHORTEST_ALONE:
                self._alone.add(text)
        self._pattern, self._pieces = None, None

    def _learn_in(self, text: str, *, is_named: bool = False, stated: Sequence[re.Pattern[str]] = ()) -> None:
        """Note the secrets in a text that are unlike words.

        `is_named`: the whole text is a secret by its name. `stated`: patterns of a name with its value.
        """
        if is_named:
            self._learn([text])
        for form in self._rules.forms:
            for match in form.finditer(text):
                value = match["secret"] if "secret" in form.groupindex else match[0]
                # Not "-----BEGIN ..": this line is the same for many keys.
                lines = [line for line in value.split("\n") if line[:5] != "-----"]
                self._learn(text for text in {value, *lines} if _is_distinct(text))
        self._learn(
            value
            for name, value in _stated(text, list(stated))
            if _is_distinct(value) and self._rules.is_stated(name, value)
        )

    def _bindings(self, trace: Trace) -> list[int]:
        """Return the changes whose value is a secret by its name, and note these secrets."""
        changes, values, rows = trace.changes, trace.values, []
        names = self._names(trace)
        if not names:
            return []
        held: dict[int, str] = {}  # object -> the name that holds it
        for at, (place, owner, key, value) in enumerate(
            zip(changes.place, changes.owner, changes.key, changes.value, strict=True)
        ):
            holder = held.get(owner, "") if place >= Place.ELEMENT and place != Place.CONTENT else ""
            name = holder or (names.get(key, "") if place != Place.MEMBER else "")
            if not name:
                continue
            if place == Place.MEMBER and key >= 0:
                self._learn([_text_of(trace, key)])
            if value < 0 or place == Place.MEMBER:
                continue
            number = values.number[value]
            if values.kind[value] == ValueKind.REF:
                is_direct = not holder and self._rules.is_telling(name)
                if is_direct or (holder and trace.objects.kind[number] in _HOLDERS):
                    held[number] = name
            elif self._rules.is_secret(name, text := _text_of(trace, value)):
                rows.append(at)
                self._learn([text])
        return rows

    def _names(self, trace: Trace) -> dict[int, str]:
        """Return the names that can hold secrets, by their handles."""
        names = {}
        for handle in set(trace.changes.key):
            if handle >= 0 and trace.values.kind[handle] in _STRINGS:
                text = _text_of(trace, handle, most=60)
                if text and self._rules.is_suspect(text):
                    names[handle] = text
        return names

    # ------------------------------------------------------------------ texts

    def text(self, text: str) -> str:
        """Return a text without secrets."""
        if self._is_hidden(text):
            self.n_hidden += 1
            return HIDDEN
        return self._masked(text, lambda _: HIDDEN)

    def printed(self, output: bytes) -> bytes:
        """Return printed output with a star for each byte of a secret."""
        text = output.decode("utf-8", "surrogateescape")
        return self._masked(text, stars).encode("utf-8", "surrogateescape")

    def _masked(self, text: str, mask: Mask, stated: Sequence[re.Pattern[str]] = tuple(_STATED)) -> str:
        before = text
        if self._secrets:
            self._pattern = self._pattern or _any_of(self._secrets)
            text = self._pattern.sub(lambda match: mask(match[0]), text)
        for form in self._rules.forms:
            text = form.sub(lambda match: _part(match, mask), text)
        for pattern in stated:
            text = pattern.sub(lambda match: self._stated_part(match, mask), text)
        self.n_hidden += text != before
        return text

    def _stated_part(self, match: re.Match[str], mask: Mask) -> str:
        group = next(name for name, value in match.groupdict().items() if name != "name" and value)
        if HIDDEN in match[0] or not self._rules.is_stated(match["name"], match[group]):
            return match[0]
        return _part(match, mask, group)

    def _is_hidden(self, text: str) -> bool:
        """Whether a whole text is a secret or a long piece of one."""
        if text in self._alone or text in self._secrets:
            return True
        if len(text) < _SHORTEST_PIECE or not self._secrets:
            return False
        if self._pieces is None:
            self._pieces = "\n".join(self._secrets)
        return text in self._pieces and any(
            text in secret and 3 * len(text) >= len(secret) for secret in self._secrets
        )

    def source(self, source: str, *, language: str = "python") -> str:
        """Return a source with its secrets as stars, so that lines and columns stay."""
        is_python = language == "python"
        if is_python and not self._needs_masks(source):
            return source
        spans = [span for found in self._secrets_in(source) for span in found.spans] if is_python else []
        text = (
            masked(source, spans, lambda part: self._masked(part, stars), self._is_hidden)
            if is_python
            else None
        )
        self.n_hidden += len(spans)
        return self._masked(source, stars, _IN_CODE) if text is None else text

    def _needs_masks(self, source: str) -> bool:
        if self._secrets or self._alone or self._rules.mentions.search(source):
            return True
        return any(form.search(source) for form in self._rules.forms)

    def program(self, program: Program) -> Program:
        """Return a program without secrets in its source, files, input and arguments."""
        language, bundle = program.language, bundle_of(program)
        source = self.source(program.source, language=language)
        arguments = self.source(f"_({program.arguments})", language=language)[2:-1]
        prelude = program.prelude
        if bundle is not None and (clean := self._bundle(bundle)) != bundle:
            prelude = prelude_of(clean)
        if (source, arguments, prelude) == (program.source, program.arguments, program.prelude):
            return program
        return make_program(
            source,
            program.entry,
            arguments,
            origin=program.origin,
            license=program.license,
            prelude=prelude,
            language=language,
        )

    def _bundle(self, bundle: Bundle) -> Bundle:
        def data(part: bytes) -> bytes:
            return self.text(part.decode("utf-8", _ERRORS[1])).encode("utf-8", _ERRORS[1])

        return replace(
            bundle,
            files={path: self.source(text) for path, text in bundle.files.items()},
            data={path: data(part) for path, part in bundle.data.items()},
            stdin=self.text(bundle.stdin),
        )

    # ------------------------------------------------------------------ columns

    def trace(self, trace: Trace, program_id: str) -> Trace:
        """Return a trace without secrets and with the id of its masked program; call `learn` before."""
        rows, values = self._bindings(trace), self._values(trace.values)
        names = [self.text(name) for name in trace.names]
        outcome = _with_texts(trace.outcome, self.text)
        self.n_hidden += len(rows)
        if not self.n_hidden:
            return replace(trace, program_id=program_id)
        what = "1 text hidden that looks like a secret"
        if self.n_hidden > 1:
            what = f"{self.n_hidden} texts hidden that look like secrets"
        note = f"{what}; {self._option} shows them"
        notes = sorted([*map(self.text, trace.fidelity.notes), note])
        fidelity = replace(trace.fidelity, notes=notes)
        trace = replace(trace, program_id=program_id, names=names, outcome=outcome, fidelity=fidelity)
        return trace_of(_with_values(packed_of(trace), rows, values)) if rows or values else trace

    def _values(self, table: ValueColumns) -> dict[int, tuple[int, bytes]]:
        """Return kind and data of each row of the table that has a secret."""
        changed: dict[int, tuple[int, bytes]] = {}
        if not (self._secrets or self._alone or self._is_seen):
            return changed
        if self._secrets or self._alone:
            numbers = {text for text in self._secrets | self._alone if text.isdigit()}
            for handle, kind in enumerate(table.kind) if numbers else ():
                if kind == ValueKind.INT and str(table.number[handle]) in numbers:
                    changed[handle] = ValueKind.OPAQUE, HIDDEN.encode()
        whole: dict[int, str] = {}  # texts that were put together and are all known
        for handle, start, rest in _texts(table):
            kind = table.kind[handle]
            if kind != ValueKind.CONCAT:
                errors = _ERRORS[kind == ValueKind.BYTES]
                after = self.text(rest)
                if len(rest) < _MOST_TAIL:
                    whole[handle] = rest
                if after != rest:
                    changed[handle] = kind, after.encode("utf-8", errors)
                continue
            beginning = table.number[handle]
            text = whole.get(beginning)
            if text is not None and len(text) + len(rest) < _MOST_TAIL:
                whole[handle] = text = text + rest
                after = self.text(text)
                if after != text or beginning in changed:
                    changed[handle] = ValueKind.STR, after.encode("utf-8", "surrogatepass")
            elif (after := self.text(start + rest)) != self.text(start) + self.text(rest):
                full = self.text(_concatenated(table, handle))
                changed[handle] = ValueKind.STR, full.encode("utf-8", "surrogatepass")
            elif (after := self.text(rest)) != rest:
                changed[handle] = kind, after.encode("utf-8", "surrogatepass")
        return changed


@contextmanager
def hidden_in_errors(redactor: Redactor | None) -> Iterator[None]:
    """Hide secrets in the message of a UserError, which may quote the outcome of a run."""
    try:
        yield
    except UserError as error:
        raise error if redactor is None else UserError(redactor.text(str(error))) from None


def hidden(recorded: Recorded) -> Recorded:
    """Return what a command recorded, without secrets."""
    redactor = Redactor.here()
    trace = view_of(recorded.packed)
    redactor.learn(recorded.program, [trace], output=recorded.output)
    program = redactor.program(recorded.program)
    output = redactor.printed(recorded.output) if recorded.output else b""
    trace = redactor.trace(trace, program.id)
    if not redactor.n_hidden:
        return recorded
    bundle = bundle_of(program)
    return replace(
        recorded,
        program=program,
        packed=packed_of(trace),
        output=output,
        sources={"": program.source} | (bundle.files if bundle else {}),
    )


def _with_values(packed: Packed, rows: Sequence[int], changed: Mapping[int, tuple[int, bytes]]) -> Packed:
    """Return a trace with changed rows in its table of values, and one more row for hidden values.

    `rows`: changes whose value is hidden. `changed`: handle -> new kind and data.
    """
    columns, at = list(packed.columns), COLUMN_NUMBER
    kinds, numbers = (
        array("b", bytes(columns[at["values.kind"]])),
        array("q", bytes(columns[at["values.number"]])),
    )
    offsets = array("i", bytes(packed.offsets))
    texts = [bytes(columns[TEXTS][start:end]) for start, end in pairwise(offsets)]
    for handle, (kind, data) in changed.items():
        kinds[handle], numbers[handle], texts[handle] = (
            kind,
            0 if kind != ValueKind.CONCAT else numbers[handle],
            data,
        )
    hidden_at = len(kinds)
    kinds.append(ValueKind.OPAQUE)
    numbers.append(0)
    texts.append(HIDDEN.encode())
    values = array("i", bytes(columns[at["changes.value"]]))
    for row in rows:
        values[row] = hidden_at
    columns[at["changes.value"]], columns[at["values.kind"]] = values.tobytes(), kinds.tobytes()
    columns[at["values.number"]], columns[TEXTS] = numbers.tobytes(), b"".join(texts)
    for name, empty in (("values.real", bytes(8)), ("values.type", bytes(4))):
        columns[at[name]] = bytes(columns[at[name]]) + empty * bool(len(columns[at[name]]))
    counts = list(packed.head.counts)
    counts[GROUPS.index("values")] += 1
    head = replace(packed.head, counts=(*counts,))
    return Packed(head, columns, array("i", accumulate(map(len, texts), initial=0)).tobytes())


def _texts(table: ValueColumns) -> Iterator[tuple[int, str, str]]:
    """Yield (handle, start, rest) of each row with a text.

    `start`: the last _MOST_TAIL characters of the text that a CONCAT row continues; "" for other rows.
    """
    ends: dict[int, str] = {}
    for handle, kind in enumerate(table.kind):
        if kind in _TEXTS:
            text = table.data[handle].decode("utf-8", _ERRORS[kind == ValueKind.BYTES])
            ends[handle] = text[-_MOST_TAIL:]
            yield handle, "", text
        elif kind == ValueKind.CONCAT:
            start = ends.get(table.number[handle], "")
            rest = table.data[handle].decode("utf-8", "surrogatepass")
            ends[handle] = (start + rest)[-_MOST_TAIL:]
            yield handle, start, rest


def _concatenated(table: ValueColumns, handle: int) -> str:
    parts = []
    while table.kind[handle] == ValueKind.CONCAT:
        parts.append(table.data[handle])
        handle = table.number[handle]
    return b"".join([table.data[handle], *reversed(parts)]).decode("utf-8", "surrogatepass")


def _text_of(trace: Trace, handle: int, most: int = _MOST_LETTERS) -> str:
    """Return the text of a scalar; "" for kinds that hold no secret, and for strings that are too long.

    `most`: largest number of bytes of a string, or of the last piece of one that is stored in pieces.
    """
    values = trace.values
    kind, data = values.kind[handle], values.data[handle]
    if kind in _STRINGS:
        return _concatenated(values, handle) if len(data) <= most else ""
    if kind == ValueKind.BYTES:
        return data.decode("utf-8", "replace")
    return str(values.number[handle]) if kind == ValueKind.INT and not data else ""


def _words(outcome: Outcome) -> list[str]:
    return [value for value in astuple(outcome) if isinstance(value, str)]


def _any_of(secrets: set[str]) -> re.Pattern[str]:
    """Return a pattern of the secrets, also as Python, JSON, URLs and base64 write them."""
    parts = set()
    for secret in secrets:
        data = secret.encode("utf-8", "surrogatepass")
        parts |= {
            secret,
            repr(secret)[1:-1],
            json.dumps(secret)[1:-1],
            json.dumps(secret, ensure_ascii=False)[1:-1],
        }
        parts |= {quote(data, safe=""), base64.b64encode(data).decode().rstrip("=")}
    return re.compile("|".join(map(re.escape, sorted(parts, key=len, reverse=True))))


def _part(match: re.Match[str], mask: Mask, group: str = "secret") -> str:
    """Return a match with its part called `secret` hidden, or all of it."""
    if group not in match.re.groupindex:
        return mask(match[0])
    start, end = match.span(group)
    at = match.start()
    return match[0][: start - at] + mask(match[group]) + match[0][end - at :]


def _with_texts(record: Outcome, change: Mask) -> Outcome:
    """Return an outcome with its texts changed, except for the names of types."""
    texts = {name: getattr(record, name) for name in record.__struct_fields__ if name != "type"}
    changed = {
        name: change(text) for name, text in texts.items() if isinstance(text, str) and change(text) != text
    }
    return replace(record, **changed) if changed else record
