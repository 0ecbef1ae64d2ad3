"""No secret of a run is in any page, file, answer or line of the terminal; harmless values stay.

The program is made of kinds x places: each kind of secret stands in each place, so that a new kind is tried
in all of them. Each door is one way in which a run leaves deskcheck.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import random
import re
import string
import subprocess
import sys
import termios
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

import deskcheck
from deskcheck.cli import app
from deskcheck.cli.queries import program_of_call, run_all, run_of
from deskcheck.errors import UserError
from deskcheck.format.buffers import trace_of
from deskcheck.queries.tools import Tools
from deskcheck.tracing.packed import read_run
from deskcheck.tracing.redaction import redactor
from deskcheck.tracing.redaction.redactor import HIDDEN, Redactor, Rules
from deskcheck.tracing.redaction.tables import SIGNS

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
lines = open("secrets.txt").read().split()
def use(secret): return secret
def log_in(user, password): return password
def same(text): return text
def fail(text):
    try:
        raise ValueError(text)
    except ValueError as error:
        raise RuntimeError("failed: " + text) from error
"""


class Planted(msgspec.Struct):
    """A program with secrets, and these with kind and place."""

    source: str
    secrets: dict[str, str]
    environment: dict[str, str]
    lines: str


def planted() -> Planted:
    source, secrets, environment, lines = [HEAD], {}, {}, []
    for place, put in PLACES.items():
        for kind, (make, bind) in KINDS.items():
            n, secret = len(secrets), make()
            secrets[secret] = f"{kind} in {place}"
            environment[f"SERVICE_{n}_SECRET"] = secret if kind == "environment" else "none"
            lines.append(secret if kind == "read from a file" else "none")
            half = len(secret) // 2
            for text in (bind, put):
                source.append(text.format(n=n, s=secret, half=secret[:half], rest=secret[half:]))
    source.append("raise ValueError('the end of ' + v0)\n")
    return Planted("\n".join(source), secrets, environment, "\n".join(lines))


def leaked(door: str, secrets: dict[str, str]) -> list[str]:
    return sorted({where for secret, where in secrets.items() if secret in door or secret[:-2] in door})


def page_text(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    blocks = re.findall(r">\s*([A-Za-z0-9+/=]{200,})\s*<", text)
    return text + "".join(zlib.decompress(base64.b64decode(b)).decode("latin-1") for b in blocks)


def file_text(path: Path) -> str:
    made, packed = read_run(path)
    trace = trace_of(packed)
    rows = "\n".join(row.decode("latin-1") for row in trace.values.data)
    return rows + msgspec.json.encode((trace.names, trace.outcome, trace.fidelity, made)).decode()


def command(*words: str) -> str:
    """Everything that a command prints, in this process."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), contextlib.suppress(SystemExit):
        app([*words])
    return out.getvalue()


def terminal() -> str:
    return command("trace", "shop.py", "--file", "secrets.txt", "--all", "--out", "run.deskcheck")


def trusted_program() -> str:
    words = [sys.executable, "-m", "deskcheck", "trace", "--trust", "--all", "shop.py"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "printed" in done.stdout and "the end of" in done.stdout, done.stderr
    return done.stdout + done.stderr


def page() -> str:
    command("view", "shop.py", "--file", "secrets.txt", "--out", "page.html")
    command("view", "run.deskcheck", "--out", "saved.html")
    return page_text(Path("page.html")) + page_text(Path("saved.html"))


def answers() -> str:
    asked = [
        command("ask", "run.deskcheck", *words.split()) for words in ("changes told", "raised", "why last")
    ]
    assert all(len(text.splitlines()) > 2 for text in asked), asked
    exact = command("ask", "exact.deskcheck", "changes", "told")
    return "".join(asked) + exact + command("diff", "exact.deskcheck", "other.deskcheck")


def explanation() -> str:
    shown = command("explain", "wrong.py", "--call", "f(3)", "--expect", "4")
    assert "line" in shown, shown
    return shown


def agents() -> str:
    tools = Tools(
        Path.cwd(), runner=run_all, record=lambda file, call: run_of(file, call, is_trusted=False),
        program_of=program_of_call, redactor_of=Redactor.here,
    )  # fmt: skip
    first = tools.failing_test("wrong.py", call="f(3)", expect="4")
    assert "run 1" in first, first
    texts = [
        first,
        tools.steps(1),
        tools.record("wrong.py", "f(3)"),
        tools.state_at(2, 5),
        tools.ask(1, "raised"),
    ]
    return "".join([*texts, tools.diff(1, 2), tools.steps(2, 3)])


def python() -> str:
    run = deskcheck.load("exact.deskcheck")
    run.save("again.deskcheck")
    shown = [
        str(run),
        repr(run),
        run._repr_html_(),
        str(run._repr_mimebundle_()),
        repr(run.at(700)),
        repr(run[40]),
    ]
    shown += [str(run.ask.changes("told")), run.ask("raised").to_json()]
    shown += [page_text(run.show("shown.html", is_opened=False)), file_text(Path("again.deskcheck"))]
    assert run.raised is not None and HIDDEN not in run.raised.message  # values are exact
    return "".join(shown)


def as_json() -> str:
    return command("trace", "shop.py", "--file", "secrets.txt", "--format", "json")


def stored() -> str:
    return file_text(Path("run.deskcheck"))


DOORS: list[Callable[[], str]] = [
    terminal, stored, trusted_program, page, answers, explanation, agents, python, as_json,
]  # fmt: skip


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planted]:
    """The current folder has the program, its runs, and a function with a secret that goes wrong."""
    folder, here = tmp_path_factory.mktemp("secrets"), Path.cwd()
    made = planted()
    (folder / "shop.py").write_text(made.source)
    (folder / "secrets.txt").write_text(made.lines)
    secret, other = list(made.secrets)[:2]
    wrong = f"def f(n):\n    password = '{secret}'\n    told = password + '{other[:5]}' + '{other[5:]}'\n"
    (folder / "wrong.py").write_text(f"{wrong}    auth_token = '{other}'\n    n = n + 2\n    return n\n")
    os.chdir(folder)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in made.environment.items():
            patch.setenv(name, value)
        patch.setattr("deskcheck.cli.shell._redacting", {"is_on": True})
        command("trace", "--no-redact", "shop.py", "--file", "secrets.txt", "--out", "exact.deskcheck")
        command("trace", "--no-redact", "wrong.py", "--call", "f(3)", "--out", "other.deskcheck")
        yield made
    os.chdir(here)


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_no_secret_leaves_by_a_door(door: Callable[[], str], plant: Planted):
    assert len(plant.secrets) == 200 and len(KINDS) == 20
    shown = door()
    found = leaked(shown, plant.secrets)
    assert not found, found
    assert HIDDEN in shown or "*" * 8 in shown


def test_without_the_redactor_secrets_of_every_kind_and_place_are_seen(
    plant: Planted, monkeypatch: pytest.MonkeyPatch
):
    for name in ("run", "trace", "program", "text", "printed"):
        given = {"run": lambda self, program, trace: (program, trace)}
        monkeypatch.setattr(Redactor, name, given.get(name, lambda self, part, *_: part))
    for door in (terminal, page, answers, agents, python):
        found = leaked(door(), plant.secrets)
        assert found, door
        if door is page:
            assert len(found) >= 190  # those of the environment stay outside the sandbox


def test_one_line_says_that_texts_were_hidden(plant: Planted):
    notes = [line for line in terminal().splitlines() if line.startswith("note:") and "hidden" in line]
    assert len(notes) == 1 and "--no-redact shows them" in notes[0]


def test_no_redact_shows_them(plant: Planted):
    shown = command("trace", "--no-redact", "shop.py", "--file", "secrets.txt", "--all")
    assert len(leaked(shown, plant.secrets)) > 190
    Path("few.py").write_text("password = 'a-very-secret-thing'\nprint(password)\n")
    words = [sys.executable, "-m", "deskcheck", "trace", "--trust", "few.py"]
    for more, expected in (["--no-redact"], 3), ([], 0):
        done = subprocess.run([*words, *more], capture_output=True, text=True, check=True)
        assert done.stdout.count("a-very-secret-thing") == expected


def test_a_trusted_program_that_has_a_terminal_keeps_one_and_shows_no_secret(tmp_path: Path):
    (tmp_path / "shop.py").write_text(
        "import os, sys\npassword = 'a-very-secret-thing'\n"
        "print(sys.stdout.isatty(), os.get_terminal_size().columns)\n"
        "print('is it', password, end='? ', flush=True)\nsys.stdin.readline()\n"
        "print(password, file=sys.stderr)\n"
    )
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (30, 77))
    words = [sys.executable, "-m", "deskcheck", "trace", "--trust", "shop.py"]
    child = subprocess.Popen(words, cwd=tmp_path, stdin=subprocess.PIPE, stdout=slave, stderr=slave)
    os.close(slave)
    shown = b""
    while b"? " not in shown:  # a question is shown before the program goes on
        shown += os.read(master, 1 << 16)
    assert child.stdin is not None and child.poll() is None
    child.stdin.close()
    with contextlib.suppress(OSError):  # EIO: nobody has the terminal any more
        while data := os.read(master, 1 << 16):
            shown += data
    os.close(master)
    assert child.wait() == 0
    text = shown.decode()
    assert "True 77" in text and "is it *******************? " in text, text
    assert "a-very-secret-thing" not in text


def test_a_run_without_secrets_is_passed_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "a.py").write_text("def f(n):\n    text = 'abc' * n\n    return text\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(redactor, "hidden", lambda recorded: pytest.fail("it was looked through"))
    assert "returned 'abcabc'" in command("trace", "a.py", "--call", "f(2)")


BEGINNINGS = (
    *"x-.=:/'\"[{( \n0A", "x-", "a.", "a=", "a:", "--a ", "://", "a://", "a://b:", "password=", "token ",
    "eyJ", "eyJa.", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "key-", "gh", "sk-", "1:", "Bearer ",
    "'a': 'b', ",
)  # fmt: skip


@pytest.mark.parametrize("piece", BEGINNINGS)
def test_a_long_text_is_looked_through_once(piece: str):
    text = piece * (60_000 // len(piece))
    redactor = Redactor(Rules.of(Path("/nowhere")), environment={})
    begin = time.process_time()
    SIGNS.search(text)
    redactor.text(text)
    redactor.printed(text.encode())
    assert time.process_time() - begin < 3


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


CODE = """\
token = tokens.pop()
def log_in(password: str, key: Optional[str] = None) -> None: ...
password = input("enter your password: ")
secret = random.randint(1, 100)
if token == "+" or key in keys: session = Session()
auth_token = make(token, secret=secret)
PASSWORD_LENGTH = 12
fields = ["name", "password", "token"]
parser.add_argument("--password", "-p", help="password: that of the account")
cookie = jar["cookie"]
"""


def test_code_that_only_names_secrets_stays():
    redactor = Redactor(Rules.of(Path("/nowhere")), environment={"PWD": "/home/ann"})
    assert redactor.source(CODE) == CODE
    assert redactor.text("/home/ann/a.py: secret = 7") == "/home/ann/a.py: secret = 7"


@pytest.mark.parametrize("source", [
    "x = 'ghp_' + '{}'", "x = f\"{{'ghp_'}}{}\"", "x = ''.join(['ghp_', '{}'])",
    "x = '%s%s' % ('ghp_', '{}')",
    "x = '{{}}{{}}'.format('ghp_', '{}')", "x = ('ghp_'\n     '{}')", "def f():\n    return b'ghp_' + b'{}'",
])  # fmt: skip
def test_a_form_put_together_from_literals_is_hidden_also_where_it_never_runs(source: str):
    text = source.format("q" * 30 + "123456")
    masked = Redactor(Rules.of(Path("/nowhere")), environment={}).source(text)
    assert "q" not in masked and len(masked) == len(text)
    compile(masked, "masked", "exec")


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
