"""Secrets of 20 kinds in ten places each, in a program; and what a page or a file holds.

planted() -> Planted(source, secrets={"hunter2..": "password in a slot", ..}, ..)
leaked(text, secrets) -> ["password in a slot", ..]
page_text(path), file_text(path), shard_text(path)      everything that is written there, unpacked
"""

from __future__ import annotations

import base64
import random
import re
import string
import textwrap
import zlib
from collections.abc import Callable
from pathlib import Path

import msgspec

from deskcheck.format.buffers import Packed, trace_of
from deskcheck.tracing.packed import read_run

RNG = random.Random(20261127)
LETTERS = string.ascii_letters + string.digits


def drawn(n: int, letters: str = LETTERS) -> str:
    return "".join(RNG.choice(letters) for _ in range(n))


def word() -> str:
    return drawn(6, string.ascii_lowercase) + drawn(4)


def jwt() -> str:
    return f"eyJ{drawn(20)}.{drawn(30)}.{drawn(25)}"


PEM = "-----{} RSA PRIVATE KEY-----"
# Kind -> a secret, and lines after which v{n} has the text that holds it ({n} is a number, {s} the secret).
KINDS: dict[str, tuple[Callable[[], str], str]] = {
    "password": (word, "password_{n} = '{s}'\nv{n} = password_{n}"),
    "attribute": (word, "box.passwd_{n} = '{s}'\nv{n} = box.passwd_{n}"),
    "key of a dictionary": (word, "d = {{'db_password': '{s}', 'n': {n}}}\nv{n} = d['db_password']"),
    "keyword": (word, "v{n} = use(secret='{s}')"),
    "argument": (word, "v{n} = log_in('ann', '{s}')"),
    "environment": (word, "v{n} = os.environ.get('SERVICE_{n}_SECRET', 'none')"),
    "number": (lambda: drawn(8, "123456789"), "pin_code_{n} = {s}\nv{n} = str(pin_code_{n})"),
    "address": (word, "v{n} = 'postgres://ann:{s}@db.example/shop'"),
    "header": (lambda: drawn(24), "v{n} = 'Bearer {s}'"),
    "aws": (lambda: "AKIA" + drawn(16, string.ascii_uppercase + "1234"), "v{n} = '{s}'"),
    "github": (lambda: "ghp_" + drawn(36), "v{n} = '{s}'"),
    "model provider": (lambda: "sk-" + drawn(32), "v{n} = 'key {s} is set'"),
    "slack": (lambda: f"xoxb-{drawn(10, string.digits)}-{drawn(24)}", "v{n} = '{s}'"),
    "web token": (jwt, "v{n} = '{s}'"),
    "private key": (lambda: drawn(64), f"v{{n}} = '{PEM.format('BEGIN')}\\n{{s}}\\n{PEM.format('END')}'"),
    "google": (lambda: "AIza" + drawn(35), "v{n} = '?key={s}&n={n}'"),
    "name=value": (word, "v{n} = 'user=ann;password={s};n={n}'"),
    "json": (word, "v{n} = '{{\"api_key\": \"{s}\", \"n\": {n}}}'"),
    "bytes": (word, "api_key_{n} = b'{s}'\nv{n} = api_key_{n}.decode()"),
    "read from a file": (word, "passphrase_{n} = lines[{n}]\nv{n} = passphrase_{n}"),
}  # fmt: skip
# Place -> lines that put v{n} there; in literals and comments, the secret itself.
PLACES = {
    "a longer text": "told = 'it is ' + v{n} + ' ' * 40",
    "an f-string": "told = f'<{{v{n}}}>'",
    "a list and a set": "held.append(v{n}); members.add(v{n})",
    "values and keys of a dictionary": "table['k{n}'] = v{n}; table[v{n}] = {n}",
    "a slot": "slotted.value = v{n}",
    "an argument and a result": "same(v{n})",
    "printed output": "print('printed', v{n}); print(v{n}, file=sys.stderr)",
    "a message": "try:\n    raise KeyError('no ' + v{n})\nexcept KeyError as error:\n    caught = error",
    "a chain of exceptions": "try:\n    fail(v{n})\nexcept RuntimeError as error:\n    last = error",
    "literals and comments": "x = '{half}' + '{rest}'  # {s}\ny = ('{half}'\n '{rest}')\nz = [r'''a {s}''']",
}  # fmt: skip
HEAD = """\
import os, sys
class Box: pass
class Slotted:
    __slots__ = ("value",)
box, slotted, held, members, table = Box(), Slotted(), [], set(), {}
with open("secrets.txt") as file: lines = file.read().split()
def use(secret): return secret
def log_in(user, password): return password
def same(text): return text
def fail(text):
    try:
        raise ValueError(text)
    except ValueError as error:
        raise RuntimeError("failed: " + text) from error
"""
END = "raise ValueError('the end of ' + v0)\n"


class Planted(msgspec.Struct):
    """A program with secrets, and these with kind and place."""

    source: str
    parts: list[str]
    """Lines of each secret, as in the source."""
    secrets: dict[str, str]
    environment: dict[str, str]
    lines: str


def planted() -> Planted:
    parts, secrets, environment, lines = [], {}, {}, []
    for place, put in PLACES.items():
        for kind, (make, bind) in KINDS.items():
            n, secret = len(secrets), make()
            secrets[secret] = f"{kind} in {place}"
            environment[f"SERVICE_{n}_SECRET"] = secret if kind == "environment" else "none"
            lines.append(secret if kind == "read from a file" else "none")
            half = len(secret) // 2
            texts = [
                text.format(n=n, s=secret, half=secret[:half], rest=secret[half:]) for text in (bind, put)
            ]
            parts.append("\n".join(texts))
    source = "\n".join([HEAD, *parts, END])
    return Planted(source, parts, secrets, environment, "\n".join(lines))


def leaked(door: str, secrets: dict[str, str]) -> list[str]:
    return sorted({where for secret, where in secrets.items() if secret in door or secret[:-2] in door})


def page_text(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    blocks = re.findall(r">\s*([A-Za-z0-9+/=]{200,})\s*<", text)
    return text + "".join(zlib.decompress(base64.b64decode(b)).decode("latin-1") for b in blocks)


def file_text(path: Path) -> str:
    return _run_text(*read_run(path))


def shard_text(path: Path) -> str:
    from deskcheck.format.shards import read_packed

    return "".join(_run_text(program, packed) for program, packed in read_packed(path))


def _run_text(made: object, packed: Packed) -> str:
    trace = trace_of(packed)
    rows = "\n".join(row.decode("latin-1") for row in trace.values.data)
    return rows + msgspec.json.encode((trace.names, trace.outcome, trace.fidelity, made)).decode()


def as_function(made: Planted, name: str, *, every: int = 1) -> str:
    """The program as a function of a module, which reads no file; with every n-th secret alone.

    Every seventh are 29 secrets of all kinds, for a run whose every state a model is asked for.
    """
    reading = 'with open("secrets.txt") as file: lines = file.read().split()'
    assert reading in HEAD
    lines = " ".join("none" if n % every else line for n, line in enumerate(made.lines.split()))
    head = HEAD.replace("import os, sys\n", "").replace(reading, f"lines = {lines!r}.split()")
    body = "\n".join([head, *made.parts[::every], END])
    return f"import os, sys\ndef {name}():\n{textwrap.indent(body, '    ')}"
