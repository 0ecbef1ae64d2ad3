"""Hide secrets in a recorded run before it is shown or stored: passwords, tokens, keys.

    hidden = Redactor(Rules.of(Path.cwd()), environment=os.environ)
    hidden.run(program, trace) -> (program, trace)        with a note that counts the hidden values

A value is a secret by the name that holds it (variable, attribute, key of a dictionary) or by its form.
What a name has shown to be a secret is hidden wherever else it stands: in longer texts, in the source, in
messages. The rules are tables with reasons; `[tool.deskcheck.redact]` in pyproject.toml adds to them:

    names = { "pin|tan" = "numbers that open an account" }
    patterns = { "CUST-[0-9]{8}" = "customer numbers" }
    keep = ["token"]                                        names that hold no secrets here

Not covered: secrets of other forms under other names, secrets of fewer than 6 characters elsewhere than under
their names, encoded or computed forms of a secret (base64, one character at a time), and what a trusted
program itself prints to its terminal.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from deskcheck.errors import UserError
from deskcheck.records import Place, Program, Trace, ValueColumns, ValueKind
from deskcheck.tracing.program import bundle_of, make_program, prelude_of
from deskcheck.tracing.replay import text_of

HIDDEN = "[redacted]"
SHORTEST = 6
"""Characters of the shortest secret that is hidden in other texts too."""
_MOST_TAIL = 200

NAMES = {
    r"pass(word|wd|phrase|code)s?|pwd|passw": "what a person types to log in",
    r"secrets?|client_secret|shared_secret|signing_secret": "what two services share",
    r"(api|access|secret|private|signing|encryption|auth|master|ssh|account)_?keys?": "keys to services",
    r"credentials?|creds": "any proof of identity",
    r"(auth|access|refresh|bearer|session|id|csrf|api|bot|github|slack|oauth)_?tokens?": "tokens",
    r"authorization|auth_header": "the header that carries a token",
    r"session_?(id|key|cookie)|cookies?": "a session that somebody else could take over",
    r"otp|totp_secret|mfa_code|pin_?code|cvv|cvc": "codes that open an account",
    r"connection_string|dsn|database_url|db_url|sas_url|webhook_url": "addresses that hold a password",
}
"""Whole names, or their last part behind "_" -> why they hold secrets; capitals do not count."""
RANDOM_NAMES = {
    r"tokens?|keys?|salt|nonce|signature|hmac|auth|jwt": "hold secrets only if the value looks random",
}
"""Names that programs use for harmless things too: a lexer's token, a dictionary's key."""
PATTERNS = {
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b": "access keys of AWS",
    r"\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}": "tokens of GitHub",
    r"\bglpat-[A-Za-z0-9_-]{16,}": "tokens of GitLab",
    r"\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{16,}": "keys of model providers",
    r"\bxox[abeprs]-[A-Za-z0-9-]{10,}": "tokens of Slack",
    r"\b[rsp]k_(?:live|test)_[A-Za-z0-9]{10,}": "keys of Stripe",
    r"\bAIza[0-9A-Za-z_-]{30,}": "keys of Google",
    r"\bya29\.[0-9A-Za-z_-]{20,}": "tokens of Google",
    r"\bhf_[A-Za-z0-9]{20,}|\bnpm_[A-Za-z0-9]{20,}|\bpypi-[A-Za-z0-9_-]{20,}": "tokens of registries",
    r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}": "keys of SendGrid",
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*": "JSON web tokens",
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)": "private keys",
    r"(?i)\b(?:bearer|basic|token)\s+(?P<secret>[A-Za-z0-9._~+/=-]{12,})": "headers with a token",
    r"[a-z][a-z0-9+.-]*://[^\s:/@]*:(?P<secret>[^\s@/]{3,})@": "addresses with a password",
    r"(?i)\b(?:password|passwd|pwd|passphrase|secret|api_?key|access_?key|auth_?token|access_?token|token|"
    r"client_secret|session_?id|sig)[\"']?\s*[=:]\s*[\"']?(?P<secret>[^\s\"'&;,}]{4,})": "name=value",
}
"""Form of a secret -> what has it. Where a form has a part called `secret`, only that is hidden."""


class Rules(Struct, frozen=True):
    """Names and forms of secrets."""

    names: re.Pattern[str]
    random_names: re.Pattern[str]
    patterns: list[re.Pattern[str]]
    keep: frozenset[str]

    @staticmethod
    def of(folder: Path) -> Rules:
        """Return the rules, with those that a folder's pyproject.toml adds; UserError if these are wrong."""
        path, own = folder / "pyproject.toml", {}
        try:
            if path.is_file():
                own = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {}).get("deskcheck", {})
            table = own.get("redact", {})
            return Rules(
                _name_pattern([*NAMES, *table.get("names", {})]),
                _name_pattern(list(RANDOM_NAMES)),
                [re.compile(form) for form in [*PATTERNS, *table.get("patterns", {})]],
                frozenset(name.lower() for name in table.get("keep", [])),
            )
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, AttributeError, TypeError, re.error) as error:
            raise UserError(f"{path}: [tool.deskcheck.redact] cannot be read: {error}") from None

    def is_secret(self, name: str, value: str) -> bool:
        """Whether a text that a name holds is a secret."""
        plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_").replace("-", "_")
        if plain in self.keep or not value or len(value) > 20_000:
            return False
        if self.names.search(plain):
            return value.lower() not in _NOTHING
        return bool(self.random_names.search(plain)) and is_random(value)


_NOTHING = frozenset(("none", "null", "true", "false", "str", "string", "password", "secret", "token", "key"))


def _name_pattern(names: list[str]) -> re.Pattern[str]:
    return re.compile(rf"(?:^|_)(?:{'|'.join(names)})(?:_\d+|\d+|_value|_text|_string)?$")


def is_random(text: str) -> bool:
    """Whether a text looks drawn by chance: long, without spaces, of digits mixed with letters."""
    if len(text) < 16 or re.search(r"[\s/\\.,:;(){}\[\]]", text):
        return False
    digits = sum(letter.isdigit() for letter in text)
    return digits >= 2 and len(set(text)) >= 8 and not text.isdigit()


class Redactor:
    """The rules, and the secrets of one run."""

    def __init__(self, rules: Rules, *, environment: Mapping[str, str]) -> None:
        self._rules = rules
        self._secrets = {
            value
            for name, value in environment.items()
            if len(value) >= SHORTEST and rules.is_secret(name, value)
        }
        self._pattern: re.Pattern[str] | None = None
        self.n_hidden = 0

    def run(self, program: Program, trace: Trace) -> tuple[Program, Trace]:
        """Return the run without its secrets; the note says how many texts were changed."""
        bundle = bundle_of(program)
        sources = [program.source, *(bundle.files.values() if bundle else ())]
        for source in sources:
            self._secrets.update(text for _, text in _literals(source, self._rules) if len(text) >= SHORTEST)
        changed = self._bindings(trace)
        self._pattern = _any_of(self._secrets)
        values = self._values(trace)
        hidden_at = len(trace.values.kind)
        changes = replace(
            trace.changes,
            value=[hidden_at if at in changed else value for at, value in enumerate(trace.changes.value)],
        )
        self.n_hidden += len(changed)
        names = [self.text(name) for name in trace.names]
        outcome = trace.outcome
        if getattr(outcome, "message", ""):
            outcome = replace(outcome, message=self.text(outcome.message))  # type: ignore[union-attr]  # it has one
        source = self.source(program.source)
        prelude = program.prelude
        if bundle is not None:
            files = {path: self.source(text) for path, text in bundle.files.items()}
            data = {path: self._bytes(part) for path, part in bundle.data.items()}
            prelude = prelude_of(replace(bundle, files=files, data=data, stdin=self.text(bundle.stdin)))
        program = make_program(
            source,
            program.entry,
            self.text(program.arguments),
            origin=program.origin,
            licence=program.licence,
            prelude=prelude,
            language=program.language,
        )
        fidelity = trace.fidelity
        if self.n_hidden:
            option = "--deskcheck-no-redact" if program.origin.startswith("pytest:") else "--no-redact"
            note = f"{self.n_hidden} texts hidden that look like secrets; {option} shows them"
            fidelity = replace(fidelity, notes=sorted([*fidelity.notes, note]))
        return program, replace(
            trace,
            program_id=program.id,
            values=values,
            changes=changes,
            names=names,
            outcome=outcome,
            fidelity=fidelity,
        )

    def _bytes(self, data: bytes) -> bytes:
        return self.text(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

    def text(self, text: str) -> str:
        """Return a text without secrets."""
        return self._hidden(text, lambda _: HIDDEN)

    def source(self, source: str) -> str:
        """Return a source with its secrets as stars, so that lines and columns stay."""
        lines = source.encode("utf-8", "surrogatepass").split(b"\n")
        for node, text in _literals(source, self._rules):
            if node.lineno == node.end_lineno and text:
                line = lines[node.lineno - 1]
                start, end = node.col_offset, node.end_col_offset or 0
                lines[node.lineno - 1] = line[:start] + _stars(line[start:end]) + line[end:]
                self.n_hidden += 1
        masked = b"\n".join(lines).decode("utf-8", "surrogatepass")
        return self._hidden(masked, lambda part: re.sub(r"[^\n]", "*", part))

    def _hidden(self, text: str, mask: Callable[[str], str]) -> str:
        before = text
        if self._pattern is not None:
            text = self._pattern.sub(lambda match: mask(match[0]), text)
        for pattern in self._rules.patterns:
            text = pattern.sub(lambda match: _part(match, mask), text)
        self.n_hidden += text != before
        return text

    def _bindings(self, trace: Trace) -> set[int]:
        """Return the changes whose value is a secret by its name, and note these secrets."""
        changes, rows = trace.changes, set()
        held: dict[int, str] = {}  # object -> the name that holds it
        for at, (place, owner, key, value) in enumerate(
            zip(changes.place, changes.owner, changes.key, changes.value, strict=True)
        ):
            if value < 0:
                continue
            name = held.get(owner, "") if place >= Place.ELEMENT and place != Place.CONTENT else ""
            if key >= 0 and place not in (Place.MEMBER,) and trace.values.kind[key] in _STRINGS:
                name = name or text_of(trace, key)
            if not name:
                continue
            kind = trace.values.kind[value]
            if kind == ValueKind.REF:
                if self._rules.names.search(name.lower()):
                    held[trace.values.number[value]] = name
                continue
            text = _text_of_value(trace, value)
            if self._rules.is_secret(name, text):
                rows.add(at)
                if len(text) >= SHORTEST and kind in (*_STRINGS, ValueKind.BYTES):
                    self._secrets.add(text)
        return rows

    def _values(self, trace: Trace) -> ValueColumns:
        """Return the table of values with its secrets hidden, and one row more for a hidden value."""
        table = trace.values
        kinds, numbers, data = list(table.kind), list(table.number), list(table.data)
        tails: dict[int, str] = {}
        for handle, kind in enumerate(table.kind):
            if kind in (ValueKind.STR, ValueKind.BYTES, ValueKind.OPAQUE):
                before = table.data[handle].decode("utf-8", _ERRORS[kind == ValueKind.BYTES])
                after = self.text(before)
                if after != before:
                    data[handle] = after.encode("utf-8", _ERRORS[kind == ValueKind.BYTES])
                tails[handle] = before[-_MOST_TAIL:]
            elif kind == ValueKind.CONCAT:
                rest = table.data[handle].decode("utf-8", "surrogatepass")
                tail = tails.get(table.number[handle], "")
                if self.text(tail + rest) != self.text(tail) + self.text(rest):
                    kinds[handle], numbers[handle] = ValueKind.STR, 0
                    data[handle] = self.text(text_of(trace, handle)).encode("utf-8", "surrogatepass")
                else:
                    data[handle] = self.text(rest).encode("utf-8", "surrogatepass")
                tails[handle] = (tail + rest)[-_MOST_TAIL:]
        return replace(
            table,
            kind=[*kinds, ValueKind.OPAQUE],
            number=[*numbers, 0],
            real=[*table.real, 0.0],
            data=[*data, HIDDEN.encode()],
            type=[*table.type, 0],
        )


_STRINGS = (ValueKind.STR, ValueKind.CONCAT)
_ERRORS = ("surrogatepass", "surrogateescape")


def _text_of_value(trace: Trace, handle: int) -> str:
    """Return the text of a scalar; "" of values that hold no secret."""
    kind, data = trace.values.kind[handle], trace.values.data[handle]
    if kind in _STRINGS:
        return text_of(trace, handle)
    if kind == ValueKind.BYTES:
        return data.decode("utf-8", "replace")
    return str(trace.values.number[handle]) if kind == ValueKind.INT and not data else ""


def _any_of(secrets: set[str]) -> re.Pattern[str] | None:
    parts = {part for secret in secrets for part in (secret, repr(secret)[1:-1])}
    return re.compile("|".join(map(re.escape, sorted(parts, key=len, reverse=True)))) if parts else None


def _part(match: re.Match[str], mask: Callable[[str], str]) -> str:
    """Return what a pattern has found, with its part called `secret` hidden, or all of it."""
    if "secret" not in match.re.groupindex:
        return mask(match[0])
    start, end = match.span("secret")
    at = match.start()
    return match[0][: start - at] + mask(match["secret"]) + match[0][end - at :]


def _stars(literal: bytes) -> bytes:
    return (
        literal[:1] + b"*" * (len(literal) - 2) + literal[-1:]
        if literal[:1] in b"\"'"
        else b"*" * len(literal)
    )


def _literals(source: str, rules: Rules) -> Iterator[tuple[ast.Constant, str]]:
    """Yield the literals of a source that stand behind a name of a secret, with their texts."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        for name, value in _named(node):
            if isinstance(value, ast.Constant) and isinstance(value.value, str | bytes | int):
                text = value.value if isinstance(value.value, str) else str(value.value)
                if isinstance(value.value, bytes):
                    text = value.value.decode("utf-8", "replace")
                if not isinstance(value.value, bool) and rules.is_secret(name, text):
                    yield value, text


def _named(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the names and values of an assignment, a keyword, a default, a dictionary, a comparison."""
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from ((name, node.value) for target in targets for name in _name(target))
    elif isinstance(node, ast.keyword) and node.arg:
        yield node.arg, node.value
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, value
    elif isinstance(node, ast.arguments):
        names = [*node.posonlyargs, *node.args]
        pairs = [*zip(names[len(names) - len(node.defaults) :], node.defaults, strict=True)]
        pairs += [(n, d) for n, d in zip(node.kwonlyargs, node.kw_defaults, strict=True) if d is not None]
        yield from ((argument.arg, default) for argument, default in pairs)
    elif isinstance(node, ast.Compare):
        yield from ((name, right) for name in _name(node.left) for right in node.comparators)


def _name(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Attribute):
        yield target.attr
    elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        yield str(target.slice.value)
