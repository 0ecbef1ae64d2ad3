"""Secrets of a trusted run are in no file, page or line of the terminal; harmless values stay."""

from __future__ import annotations

import base64
import json
import random
import re
import string
import subprocess
import sys
import zlib
from pathlib import Path

import msgspec
import pytest

from deskcheck.errors import UserError
from deskcheck.format.buffers import trace_of
from deskcheck.tracing.packed import read_run
from deskcheck.tracing.redaction import HIDDEN, Redactor, Rules

RNG = random.Random(20261127)
LETTERS = string.ascii_letters + string.digits


def drawn(n: int, letters: str = LETTERS) -> str:
    return "".join(RNG.choice(letters) for _ in range(n))


def word() -> str:
    return drawn(6, string.ascii_lowercase) + drawn(4)


def jwt() -> str:
    return f"eyJ{drawn(20)}.{drawn(30)}.{drawn(25)}"


PEM = "-----{} RSA PRIVATE KEY-----"
# Kind -> a secret, and lines that plant it ({n} is a number, {s} the secret).
KINDS = {
    "password": (word, "password_{n} = '{s}'"),
    "attribute": (word, "box.passwd_{n} = '{s}'"),
    "key of a dictionary": (word, "settings_{n} = {{'db_password': '{s}', 'n': {n}}}"),
    "keyword": (word, "use(secret='{s}')"),
    "environment": (word, "held_{n} = os.environ['SERVICE_{n}_SECRET']"),
    "address": (word, "where_{n} = 'postgres://ann:{s}@db.example/shop'"),
    "header": (lambda: drawn(24), "sent_{n} = {{'X': 'Bearer {s}'}}"),
    "aws id": (lambda: "AKIA" + drawn(16, string.ascii_uppercase), "x{n} = '{s}'"),
    "aws secret": (lambda: drawn(40), "aws_secret_access_key_{n} = '{s}'"),
    "github": (lambda: "ghp_" + drawn(36), "x{n} = ['{s}']"),
    "model provider": (lambda: "sk-" + drawn(32), "line_{n} = 'key {s} is set'"),
    "slack": (lambda: f"xoxb-{drawn(10, string.digits)}-{drawn(24)}", "x{n} = ('{s}', 1)"),
    "web token": (jwt, "x{n} = 'token ' + '{s}'"),
    "private key": (lambda: drawn(64), f"x{{n}} = '{PEM.format('BEGIN')}\\n{{s}}\\n{PEM.format('END')}'"),
    "stripe": (lambda: "sk_live_" + drawn(24), "raise_later.append('{s}')"),
    "google": (lambda: "AIza" + drawn(35), "x{n} = f'?key={s}&n={n}'"),
    "name=value": (word, "x{n} = 'user=ann;password={s};n={n}'"),
    "json": (word, "x{n} = '{{\"api_key\": \"{s}\", \"n\": {n}}}'"),
    "bytes": (word, "api_key_{n} = b'{s}'"),
    "in longer strings": (word, "token_secret_{n} = '{s}'; told_{n} = 'it ' + token_secret_{n} + ' ' * 40"),
}  # fmt: skip
HEAD = """\
import os
class Box: pass
box = Box()
raise_later = []
def use(secret): return secret[:2]
"""


def program() -> tuple[str, list[str], dict[str, str]]:
    lines, secrets, environment = [HEAD], [], {}
    for n in range(200):
        make, line = list(KINDS.values())[n % len(KINDS)]
        secrets.append(make())
        environment |= {f"SERVICE_{n}_SECRET": secrets[-1]} if "environ" in line else {}
        lines.append(line.format(n=n, s=secrets[-1]))
    return "\n".join([*lines, "raise ValueError(raise_later[0] + told_19)\n"]), secrets, environment


def page_text(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    blocks = re.findall(r">\s*([A-Za-z0-9+/=]{200,})\s*<", text)
    return text + "".join(zlib.decompress(base64.b64decode(b)).decode("latin-1") for b in blocks)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, str, list[str]]:
    """Terminal, page and file of a run with 200 secrets, and the secrets."""
    folder = tmp_path_factory.mktemp("secrets")
    source, secrets, environment = program()
    (folder / "shop.py").write_text(source)

    def command(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "deskcheck", *words],
            cwd=folder,
            env={"PATH": "/usr/bin:/bin", "HOME": str(folder)} | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        return done.stdout + done.stderr

    terminal = command("trace", "--trust", "--all", "shop.py", "--out", "run.deskcheck")
    terminal += command("view", "--trust", "shop.py", "--out", "page.html")
    made, packed = read_run(folder / "run.deskcheck")
    stored = msgspec.json.encode(trace_of(packed)).decode() + msgspec.json.encode(made).decode()
    stored += (folder / "run.deskcheck").read_bytes().decode("latin-1")
    for row in trace_of(packed).values.data:
        stored += row.decode("latin-1") + "\n"
    return terminal, page_text(folder / "page.html"), stored, secrets


@pytest.mark.parametrize("place", [0, 1, 2], ids=["terminal", "page", "file"])
def test_no_secret_is_shown_or_stored(run: tuple[str, str, str, list[str]], place: int):
    shown, secrets = run[place], run[3]
    assert isinstance(shown, str) and len(secrets) == 200 and len(KINDS) == 20
    kinds = list(KINDS)
    leaked = [kinds[n % len(kinds)] for n, secret in enumerate(secrets) if secret in shown]
    assert not leaked, sorted(set(leaked))
    assert HIDDEN in shown


def test_one_line_says_that_texts_were_hidden(run: tuple[str, str, str, list[str]]):
    notes = [line for line in run[0].splitlines() if line.startswith("note:") and "hidden" in line]
    assert notes and all("--no-redact shows them" in note for note in notes)


def test_no_redact_shows_them(tmp_path: Path):
    (tmp_path / "a.py").write_text("password = 'a-very-secret-thing'\n")
    words = [sys.executable, "-m", "deskcheck", "trace", "--trust", "a.py"]
    hidden, shown = (
        subprocess.run([*words, *more], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        for more in ([], ["--no-redact"])
    )
    assert "a-very-secret-thing" not in hidden and "a-very-secret-thing" in shown


# ------------------------------------------------------------------ harmless values

PLAIN = ("+", "name", "Bearer", "x=1", "a b")
HARMLESS = [
    *((name, value) for name in ("token", "key", "keys", "auth", "sig") for value in PLAIN),
    *((f"word_{n}", text) for n, text in enumerate("the key to success is a good password policy".split())),
    *(("line", text) for text in (
        "enter your password: ", "password is wrong", "no token left", "secret santa", "api key missing",
        "Basic training", "token ring", "bearer of news", "the cookie jar", "session closed",
    )),
    *(("url", f"https://example.org/{word}?page=1") for word in ("a", "token", "key", "login", "secret")),
    *(("path", f"/home/ann/{word}.txt") for word in ("passwords", "keys", "secret", "notes", "token")),
    *((f"digest_{n}", drawn(64, "0123456789abcdef")) for n in range(30)),
    *((f"uuid_{n}", "-".join(drawn(k, "0123456789abcdef") for k in (8, 4, 4, 4, 12))) for n in range(20)),
    *((f"name_{n}", word()) for n in range(30)),
    *((f"sentence_{n}", " ".join(word() for _ in range(6))) for n in range(30)),
    *((f"row_{n}", json.dumps({"id": n, "tag": word()})) for n in range(20)),
    *((f"when_{n}", f"2026-11-{n + 1:02} 10:00:00") for n in range(20)),
]  # fmt: skip


def test_at_most_ten_of_two_hundred_harmless_values_are_hidden():
    values = HARMLESS[:200]
    assert len(values) == 200
    rules = Rules.of(Path("/nowhere"))
    redactor = Redactor(rules, environment={})
    hidden = [(n, v) for n, v in values if rules.is_secret(n, v) or redactor.text(v) != v]
    assert len(hidden) <= 10, hidden


def test_users_add_names_and_forms(tmp_path: Path):
    (tmp_path / "pyproject.toml").write_text(
        '[tool.deskcheck.redact]\nnames = { "tan" = "numbers of a bank" }\n'
        'patterns = { "CUST-[0-9]{4}" = "customers" }\nkeep = ["session_id"]\n'
    )
    rules = Rules.of(tmp_path)
    assert rules.is_secret("my_tan", "123456") and not rules.is_secret("session_id", "s" * 30)
    assert Redactor(rules, environment={}).text("for CUST-1234.") == f"for {HIDDEN}."
    (tmp_path / "pyproject.toml").write_text('[tool.deskcheck.redact]\npatterns = { "(" = "x" }\n')
    with pytest.raises(UserError, match=r"tool\.deskcheck\.redact"):
        Rules.of(tmp_path)


def test_lines_and_columns_of_a_source_stay():
    source = 'é = 1; password = "hunter-2-é"  # end\nx = password + "!"\n'
    masked = Redactor(Rules.of(Path("/nowhere")), environment={}).source(source)
    assert "hunter" not in masked
    assert [len(line.encode()) for line in masked.split("\n")] == [
        len(line.encode()) for line in source.split("\n")
    ]
