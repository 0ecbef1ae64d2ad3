"""No secret of a run is in any page, file, answer or line of the terminal; harmless values stay.

The program is made of kinds x places: each kind of secret stands in each place, so that a new kind is tried
in all of them. Each door (doors.py) is one way in which a run leaves deskcheck, and every way has a door.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import string
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from tests.tracing import doors
from tests.tracing import ways_out as ways
from tests.tracing.doors import COVERED, DOORS, command
from tests.tracing.secrets_planted import KINDS, Planted, as_function, drawn, leaked, planted, word
from tests.tracing.ways_out import EXACT, ways_out

from deskcheck.errors import UserError
from deskcheck.tracing.redaction import redactor
from deskcheck.tracing.redaction.redactor import HIDDEN, Redactor, Rules
from deskcheck.tracing.redaction.tables import FORMS, SIGNS

TESTS = """\
import pytest, sell
@pytest.fixture
def till():
    return sell.sell()
def test_sell():
    sell.sell()
def test_till(till):
    pass
"""


def write_programs(folder: Path, made: Planted) -> None:
    """Write the program as a script and as a function, one that is wrong, and one that does not load."""
    secret, other = list(made.secrets)[:2]
    wrong = f"def f(n):\n    password = '{secret}'\n    told = password + '{other[:5]}' + '{other[5:]}'\n"
    believed = "; ".join(f"a{n}='{text}'" for n, text in enumerate([*made.secrets][::7]))
    texts = {
        "shop.py": made.source,
        "later.py": made.source.replace("raise ValueError('the end of ' + v0)", "v0 = 3"),
        "secrets.txt": made.lines,
        "sell.py": as_function(made, "sell"),
        "few.py": as_function(made, "sell", every=7),
        "wrong.py": f"{wrong}    auth_token = '{other}'\n    n = n + 2\n    return n\n",
        "early.py": f"password = '{secret}'\nraise ValueError('bad ' + password)\ndef f(n):\n    return n\n",
        "reply.txt": f"@2 | {believed}",
        "test_sell.py": TESTS,
    }
    for name, text in texts.items():
        (folder / name).write_text(text)


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planted]:
    """The current folder has the programs, and exact records of their runs."""
    folder, here = tmp_path_factory.mktemp("secrets"), Path.cwd()
    made = planted()
    write_programs(folder, made)
    os.chdir(folder)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in made.environment.items():
            patch.setenv(name, value)
        patch.setattr("deskcheck.cli.shell._redacting", {"is_on": True})
        given = ("trace", "--no-redact", "--file", "secrets.txt")
        for name in ("exact.deskcheck", "exact.parquet"):
            command(*given, "shop.py", "--out", name)
        command(*given, "later.py", "--out", "later.deskcheck")
        command("trace", "--no-redact", "wrong.py", "--call", "f(3)", "--out", "other.deskcheck")
        yield made
    os.chdir(here)


@pytest.mark.parametrize("name", DOORS)
def test_no_secret_leaves_by_a_door(name: str, plant: Planted):
    assert len(plant.secrets) == 200 and len(KINDS) == 20
    shown = DOORS[name]()
    seen = leaked(shown, plant.secrets)
    assert not seen, seen
    assert HIDDEN in shown or "*" * 8 in shown


IN_PROCESSES = ("trusted_program", "agents", "tests_that_fail", "executed_in_python", "page_of_a_model")
"""Doors that take seconds: `pytest -m slow` shows that they let secrets through without the redactor."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in IN_PROCESSES)) for name in DOORS]
)
def test_without_the_redactor_secrets_are_seen_at_each_door(
    name: str, plant: Planted, monkeypatch: pytest.MonkeyPatch
):
    for method in ("run", "trace", "program", "text", "printed"):
        given = {"run": lambda self, program, trace: (program, trace)}
        monkeypatch.setattr(Redactor, method, given.get(method, lambda self, part, *_: part))
    monkeypatch.setattr(doors, "IS_HIDING", False)
    seen = leaked(DOORS[name](), plant.secrets)
    assert seen
    if name in ("page", "recorded_run", "python"):
        assert len(seen) >= 190  # those of the environment stay outside the sandbox


def test_every_way_out_of_the_program_is_a_door_or_exact_for_a_reason():
    """A new command, option, tool, method, magic or option of the plugin has to go through a door."""
    known = ways_out()
    missing = sorted(known - COVERED - set(EXACT))
    assert not missing, f"no door of tests/tracing/doors.py goes through {missing}"
    gone = sorted({*COVERED, *EXACT} - known)
    assert not gone, f"there is no longer {gone}"


def test_a_new_option_that_writes_a_run_is_missed(monkeypatch: pytest.MonkeyPatch):
    from deskcheck import cli

    grown = typer.Typer()

    @grown.command()
    def ask(format: str = typer.Option("", help="text, json or table."), out: str = "") -> None: ...

    @grown.command()
    def send() -> None: ...

    monkeypatch.setattr(ways, "app", grown)
    assert {"ask --format table", "ask --out", "send"} == ways_out() - COVERED - set(EXACT)
    assert cli.app is not grown


def test_one_line_says_that_texts_were_hidden(plant: Planted):
    shown = command("trace", "shop.py", "--file", "secrets.txt")
    notes = [line for line in shown.splitlines() if line.startswith("note:") and "hidden" in line]
    assert len(notes) == 1 and "--no-redact shows them" in notes[0]


def test_the_last_word_on_redaction_counts(plant: Planted):
    for words, is_hidden in ((["--redact"], True), (["--redact", "--no-redact"], False)):
        shown = command("trace", "wrong.py", "--call", "f(3)", *words)
        assert (not leaked(shown, plant.secrets)) == is_hidden


def test_no_redact_shows_them(plant: Planted):
    shown = command("trace", "--no-redact", "shop.py", "--file", "secrets.txt", "--all")
    assert len(leaked(shown, plant.secrets)) > 190
    Path("short.py").write_text("password = 'a-very-secret-thing'\nprint(password)\n")
    words = [sys.executable, "-m", "deskcheck", "trace", "--trust", "short.py"]
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


# A line of a program or of its texts that names no secret, and a line like it that does.
LINES = [
    ("key=str.lower", "key=str.l0wer.Q7"), ("key = G.add_edge(1, 2)", "key = 'Gx81-add-edge'"),
    ("key=_GroupConsecutive()", "key=_Gr0upC0nsecutive"), ("tokens: ParseResults,", "token: hT4sePq9wz,"),
    ("keys using key=value.", "key=Value.19.x"), ("for token expressions.", "for token expr3ss10ns.9a"),
    ("a basic representation of", "a basic cmVwcmVzZW50YXRpb24"),
    ("f(token='under ')", "f(token='und3r-9 x')"),
    ("auth=flask_login.user", "password=flask_login.user"), ("basic Python-style", "bearer representation"),
]  # fmt: skip


@pytest.mark.parametrize(("plain", "secret"), LINES)
def test_names_and_words_behind_a_suspect_name_are_no_secrets(plain: str, secret: str):
    redactor = Redactor(Rules.of(Path("/nowhere")), environment={})
    assert redactor.text(plain) == plain and redactor.source(f"# {plain}\n") == f"# {plain}\n"
    assert redactor.n_hidden == 0
    assert redactor.text(secret) != secret


H, X = "0123456789abcdef", string.ascii_uppercase + string.digits
EXAMPLES = [  # of each form: text before, secret, text behind
    ("", "AKIA" + drawn(16, X), ""), ("", "ghp_" + drawn(36), ""), ("", "github_pat_" + drawn(60), ""),
    ("", "glpat-" + drawn(20), ""), ("", "sk-proj-" + drawn(40), ""), ("", "gsk_" + drawn(52), ""),
    ("", "xoxb-" + drawn(30), ""), ("", f"hooks.slack.com/services/T1/B2/{drawn(24)}", ""),
    ("", "sk_live_" + drawn(24), ""), ("", "whsec_" + drawn(30), ""), ("", "AIza" + drawn(35), ""),
    ("", "ya29." + drawn(60), ""), ("", "hf_" + drawn(34), ""), ("", "pypi-" + drawn(60), ""),
    ("", "dckr_pat_" + drawn(27), ""), ("", "dapi" + drawn(32, H), ""), ("", "shpat_" + drawn(32, H), ""),
    ("", f"SG.{drawn(22)}.{drawn(43)}", ""), ("", f"123456789:{drawn(35)}", ""), ("", "ntn_" + drawn(40), ""),
    ("", f"eyJ{drawn(20)}.{drawn(30)}.{drawn(25)}", ""), ("", "SK" + drawn(32, H), ""),
    ("", drawn(32, H) + "-us12", ""), ("", "sq0csp-" + drawn(43), ""), ("", f"GOCSPX-{drawn(28)}", ""),
    ("", f"M{drawn(23)}.{drawn(6)}.{drawn(30)}", ""), ("", "oauth:" + drawn(30, H), ""),
    ("", "1//0" + drawn(60), ""), ("", "EAA" + drawn(60), ""), ("", "secret_" + drawn(43), ""),
    ("", f"pat{drawn(14)}.{drawn(64, H)}", ""), ("", "dp.pt." + drawn(43), ""), ("", "HRKU-" + drawn(36), ""),
    ("", "sbp_" + drawn(40, H), ""), ("", "NRAK-" + drawn(27, X), ""), ("", "pplx-" + drawn(48), ""),
    ("", f"PMAK-{drawn(24, H)}-{drawn(34, H)}", ""), ("", f"tskey-auth-{drawn(30)}", ""),
    ("", "fm2_" + drawn(60), ""), ("", "AGE-SECRET-KEY-1" + drawn(58, X), ""),
    ("Cookie: sid=", drawn(24), "; Path=/"), ("curl -s -u ann:", drawn(9), " https://x.org"),
    ("the password is ", "kq7Zp2xRw", ", he said"), ("Authorization: Basic ", drawn(28), ""),
    ("postgres://ann:", drawn(9), "@db/shop"), ("https://", drawn(32, H), "@o1.ingest.example/12"),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\n", drawn(64), "\n-----END OPENSSH PRIVATE KEY-----"),
]  # fmt: skip


def test_each_form_of_the_table_has_an_example_that_is_hidden():
    redactor = Redactor(Rules.of(Path("/nowhere")), environment={})
    for before, secret, behind in EXAMPLES:
        text = f"it is: {before}{secret}{behind}."
        assert SIGNS.search(text), secret
        assert secret not in redactor.text(text), (before, secret)
    texts = ["".join(example) for example in EXAMPLES]
    without = [form for form in FORMS if not any(re.search(form, text) for text in texts)]
    assert not without, f"no example has the form {without}"


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
