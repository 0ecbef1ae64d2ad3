"""Redexes: every answer is Python's, held-out ones are never practised, the gates ask what they say."""

from __future__ import annotations

import ast
import io
import json
import re
import resource
import tokenize
from pathlib import Path
from random import Random

import pytest

np = pytest.importorskip("numpy", reason="needs the extra 'train'")
for library in ("torch", "transformers", "tokenizers"):
    pytest.importorskip(library, reason="needs the extra 'train'")

import msgspec  # noqa: E402
import torch  # noqa: E402
from tests.scripts import load_script  # noqa: E402
from tests.training.little_shards import LITTLE  # noqa: E402

from deskcheck.corpus.interpreted import value_of  # noqa: E402
from deskcheck.decontamination.canonical import normal_form  # noqa: E402
from deskcheck.errors import UserError  # noqa: E402
from deskcheck.languages.python.working import working  # noqa: E402
from deskcheck.models.tiny import Request, Shape, load  # noqa: E402
from deskcheck.programs.generated import candidate, family_of  # noqa: E402
from deskcheck.records import Limits, Returned  # noqa: E402
from deskcheck.tracing.program import make_program  # noqa: E402
from deskcheck.tracing.run import trace_program  # noqa: E402
from deskcheck.training import network, presets  # noqa: E402
from deskcheck.training.live import mixed_feed  # noqa: E402
from deskcheck.training.natural import natural  # noqa: E402
from deskcheck.training.presets import Mix, Preset, Stage  # noqa: E402
from deskcheck.training.redexes import gates, rows  # noqa: E402
from deskcheck.training.redexes.table import OPERATIONS, redex  # noqa: E402
from deskcheck.training.redexes.values import SIZES, Drawer  # noqa: E402
from deskcheck.training.scores import card_scores  # noqa: E402
from deskcheck.training.tokenizer import COMPUTING_SIZE, EOS_ID, build_tokenizer  # noqa: E402
from deskcheck.training.train import TrainOptions, train  # noqa: E402

torch.set_num_threads(1)
pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"
)
SHAPE = Shape(
    vocabulary=COMPUTING_SIZE,
    hidden=32,
    layers=2,
    heads=2,
    intermediate=64,
    rope_base=1e4,
    norm_epsilon=1e-6,
    trained_length=128,
    max_positions=512,
    last_digit_first=True,
    shift=4,
)


def drawn(n: int = 4):
    """(operation, size, drawer, redex) of every operation at every size."""
    for name, operation in OPERATIONS.items():
        for size in operation.sizes:
            for number in range(n):
                drawer = Drawer(Random(f"{name}{size}{number}"), SIZES[size], by_name=0.5)
                yield operation, size, drawer, redex(operation, drawer)[0]


def test_every_answer_is_what_python_says():
    """The operation evaluated gives the value; a change made to the value before gives the one after."""
    assert len(OPERATIONS) >= 150
    for operation, _, drawer, found in drawn():
        if not operation.mutates:
            literals = {name: ast.literal_eval(text) for name, text in drawer.state.items()}
            text = drawer.plain(found.text)
            assert repr(value_of(text)) == found.value, text
            assert set(re.findall(r"\$\d+", found.text)) <= set(literals)
            continue
        ((name, literal),) = drawer.state.items()
        run, patched = {"held": eval(literal)}, {"held": eval(literal)}
        text = found.text.replace(name, "held")
        try:
            assert repr(eval(text, {}, run)) == found.value
        except SyntaxError:
            exec(text, {}, run)
            assert found.value == "None"
        exec(found.change.replace(name, "held"), {}, patched)
        assert repr(run["held"]) == repr(patched["held"]), found


def test_a_literal_beside_is_raises_no_warning():
    """Python warns of `5 is not None`; a terminal that makes training data must not show it."""
    for seed in range(60):  # warnings are errors here
        drawer = Drawer(Random(seed))
        found, _ = redex(OPERATIONS["a is None"], drawer)
        literal, _, other = drawer.plain(found.text).partition(" is ")
        assert found.value == repr((literal == "None") == (other == "None"))


def test_what_is_drawn_has_all_that_programs_have():
    texts = [drawer.plain(found.text) for _, _, drawer, found in drawn(8)]
    joined = "\n".join(texts)
    for wanted in ("True", "False", "None", "-", '"', "'", " ", "{", "(", "\\n"):
        assert wanted in joined
    assert any(character.isupper() for character in joined)
    lengths = {size: [] for size in SIZES}
    for _, size, drawer, found in drawn(8):
        lengths[size].append(len(drawer.plain(found.text)))
    means = [np.mean(lengths[size]) for size in ("short", "middle", "long")]
    assert means == sorted(means)
    assert max(lengths["long"]) > 60


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("356 * 12", "712 + 3560"),
        ("-356 * 123", "1068 + 7120 = 8188 + 35600"),
        ("7 * 8", ""),
        ("845 // 7", "8 1 1; 14 2 0; 5 0 5"),
        ("845 % 10", ""),
        ("'rrs'.count('r')", "'r1r2s'"),
        ("'rrs'.find('s')", "'r0r1s2'"),
        ("'rrs'.find('x')", "'r0r1s2'"),
        ("sum([3, 5, 7])", "3; 8; 15"),
        ("sum([3])", ""),
        ("['a', 'b', 3][1]", "#0 'a' #1 'b'"),
        ("(4, 5)[0]", ""),
        ("[4, 5][-1]", ""),
        ("[4, 5][0:1]", ""),
        ("{1: 'a', 2: 'b'}[1]", ""),
        ("a + b", ""),
        ("len(", ""),
    ],
)
def test_the_working_of_an_operation(text: str, expected: str):
    assert working(text) == expected


def test_a_value_follows_from_its_working():
    """Sums are sums, every row of a division divides, the last number is the value's."""
    n = 0
    for operation, _, drawer, found in drawn(12):
        if not found.working:
            continue
        n += 1
        if operation.name == "a * b":
            left = 0
            for equation in f"{found.working} = {found.value.lstrip('-')}".split(" = ")[:-1]:
                left = eval(equation)
            assert left == abs(int(found.value))
        elif operation.name in ("a // b", "a % b", "divmod(a, b)"):
            right = ast.parse(drawer.plain(found.text), mode="eval").body
            divisor = ast.literal_eval(right.right if isinstance(right, ast.BinOp) else right.args[1])
            for row in found.working.split("; "):
                divided, quotient, rest = map(int, row.split())
                assert divided == quotient * divisor + rest and rest < divisor
        elif operation.name == "xs[i]":
            places = found.working.split("#")[1:]
            assert [int(place.split()[0]) for place in places] == list(range(len(places)))
            assert places[-1].partition(" ")[2] == found.value
        elif operation.name.startswith("sum("):
            assert found.working.split("; ")[-1] == found.value
    assert n > 100


def lines(n_tokens: int, seed: int = 1) -> list[rows.Line]:
    return rows.Redexes(sizes={"short": 0.7, "middle": 0.2, "long": 0.1}).lines(Random(seed), n_tokens)


def test_a_row_is_its_text_and_its_answers_carry_loss():
    tokenizer = build_tokenizer(size=COMPUTING_SIZE)
    read = rows.Reader()
    for _, _, drawer, found in drawn(2):
        piece = read.piece("", found.text, found.answer)
        state = "; ".join(f"{name}={literal}" for name, literal in drawer.state.items())
        whole = f"{state}{' | ' if state else ''}{found.text} -> {found.answer} | "
        line = rows.Line(read.state(list(drawer.state.items())), [piece])
        assert read.ids(whole) == [*line.state, *piece.asked, *piece.answer]
    batch = rows.arrays(lines(1_024))
    assert batch.lengths.sum() == batch.rows.loss.sum()
    assert network.is_causal(batch.rows)
    for ids, loss, group in zip(batch.rows.ids, batch.rows.loss, batch.rows.group, strict=True):
        n = int((group >= 0).sum())
        assert ids[n - 1] == EOS_ID and not loss[n - 1] and not loss[n:].any()
        text = tokenizer.decode(read._turned(ids[:n].tolist()))
        assert text.count(" -> ") >= 1


def test_held_out_redexes_are_never_practised(monkeypatch: pytest.MonkeyPatch):
    held_out: list[list[int]] = []
    read = rows.Reader()

    def noting(operation, drawer):
        found, is_held_out = redex(operation, drawer)
        if is_held_out:
            held_out.append(read.ids(f"{found.text} -> "))
        return found, is_held_out

    monkeypatch.setattr(rows, "redex", noting)
    practised = rows.arrays(lines(40 * 1_024)).rows.ids.tolist()
    everything = "\n".join(" ".join(map(str, ids)) for ids in practised)
    assert len(held_out) > 100
    long = [ids for ids in held_out if len(ids) > 9]
    assert not [ids for ids in long if f" 1 {' '.join(map(str, ids))} " in everything]


def test_the_gates_ask_what_was_held_out():
    read = rows.Reader()
    for name in ("len(s)", "a + b", "xs.pop(i)", "p and q"):
        lines, is_held_out = gates.questions(OPERATIONS[name], "short", 30, "development", read)
        assert is_held_out == (name != "p and q")
        assert len(lines) == 30 if is_held_out else 0 < len(lines) <= 8
    sealed, _ = gates.questions(OPERATIONS["len(s)"], "short", 30, "sealed", read)
    known, _ = gates.questions(OPERATIONS["len(s)"], "short", 30, "development", read)
    asked = {tuple(line.pieces[0].asked) for line in known}
    assert len(sealed) == 30 and not asked & {tuple(line.pieces[0].asked) for line in sealed}


def test_a_redex_is_right_where_every_token_of_its_answer_is():
    """In company, with padding, as alone."""
    model = network.build_model(SHAPE, seed=0, deviation=0.3).eval()
    read, rng = rows.Reader(), Random(0)
    lines = [rows.look_ups(rng, read) for _ in range(20)]
    # A model that is right now and then: what it says to a part of the questions becomes their answer.
    for number, line in enumerate(lines):
        ids = [1, *line.state, *line.pieces[0].asked]
        if number % 2:
            with torch.no_grad():
                said = int(model(torch.tensor([ids])).logits[0, -1].argmax())
            lines[number] = rows.Line(line.state, [rows.Piece("x", line.pieces[0].asked, [said])])
        else:
            lines[number] = rows.Line(line.state, line.pieces[:1])
    found = gates.exact(model, lines)
    assert len(found) == 20
    assert sum(is_right for name, is_right in found if name == "x") == 10
    assert not any(is_right for name, is_right in found if name != "x")


def test_lists_of_few_values_are_looked_up_too():
    """Only places tell their elements apart."""
    rng = Random(3)
    found = [Drawer(rng).alike() for _ in range(200)]
    assert all(1 <= len(elements) <= 6 and len(set(elements)) <= 3 for elements in found)
    assert {"True", "False", "None"} <= {element for elements in found for element in elements}


def test_names_of_programs_take_the_place_of_drawn_ones():
    """Every name stays one token and its own; all else stays as it was."""
    read, rng = rows.Reader(), Random(0)
    names, others = set(read._names), set(read._others)
    assert len(others) > len(names)
    for _ in range(50):
        line = rows.look_ups(rng, read)
        new = read.renamed(line, rng)
        before = [*line.state, *(t for p in line.pieces for t in (*p.asked, *p.answer))]
        after = [*new.state, *(t for p in new.pieces for t in (*p.asked, *p.answer))]
        pairs = {(a, b) for a, b in zip(before, after, strict=True) if a in names}
        assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)
        assert {b for _, b in pairs} <= others
        assert [a for a in before if a not in names] == [
            b for a, b in zip(before, after, strict=True) if a not in names
        ]


class Untyped(ast.NodeTransformer):
    """Assignments without their annotations."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.Assign:
        return ast.copy_location(ast.Assign([node.target], node.value), node)


def without_types(source: str) -> str:
    tree = ast.parse(source)
    has_types = any(isinstance(node, ast.AnnAssign) for node in ast.walk(tree))
    return ast.unparse(ast.fix_missing_locations(Untyped().visit(tree))) if has_types else source


DOUBLING = """def f(s):
    for n in range(200):
        if 'z' in s:
            s += s
    return s
"""


def test_other_strings_that_make_a_run_grow_without_end_are_left_out():
    """With a z in the string, it doubles 200 times; a trace of that takes all memory before it ends."""
    limit = resource.getrlimit(resource.RLIMIT_AS)
    program = make_program(DOUBLING, "f", "'abab'", origin="test", license="Apache-2.0")
    trace = trace_program(program, Limits(max_steps=2_000))
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, limit[1]))  # should it be traced after all
    try:
        found = [natural(program, trace, Random(seed), {"long": 1.0}) for seed in range(12)]
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limit)
    assert any(found) and not all(found)
    assert all("z" not in made[0].arguments for made in found if made)


def test_programs_have_other_strings_and_their_runs_are_true():
    """Both quotes and long strings occur; numbers and names stay; the run is that of the new program."""
    texts, n, n_typed = [], 0, 0
    for number in range(120):
        found = candidate(family_of(("easy", "real-1", "states-1")[number % 3]), 31, number)
        made = found and natural(*found, Random(number))
        if not made:
            continue
        n += 1
        (program, trace), old = made, found[0]
        assert normal_form(without_types(program.source)) == normal_form(old.source)
        n_typed += program.source != without_types(program.source)
        assert isinstance(trace.outcome, Returned)
        again = trace_program(program, trace.limits)
        assert again.n_steps == trace.n_steps
        texts.append(f"{program.source}\n{program.arguments}")
    assert n > 30 and 0 < n_typed < n / 3
    literals = [
        token.string
        for text in texts
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.STRING
    ]
    assert 0.1 < sum(literal[0] == '"' for literal in literals) / len(literals) < 0.5
    assert max(map(len, literals)) > 40


def test_the_command_trains_exports_and_says_what_each_operation_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    shape = msgspec.structs.replace(SHAPE, trained_length=256)
    stages = (Stage(1.0, {"easy": 1.0}, redexes=0.5, operations="first"),)
    toy = Preset("toy", shape, 4, Mix({"direct": 1.0}), stages, bf16=False, mixed=True)
    monkeypatch.setitem(presets.PRESETS, "toy", toy)
    for name, size in LITTLE.items():
        monkeypatch.setattr(mixed_feed, name, size)
    monkeypatch.setattr(card_scores, "N_GATE", 4)
    monkeypatch.setattr(card_scores, "OPERATIONS", dict.fromkeys(("len(s)", "xs.pop(i)")))
    out = str(tmp_path / "run")
    with pytest.raises(UserError, match="--minutes"):
        train(TrainOptions(preset="toy", out=out))
    said: list[str] = []
    options = TrainOptions(preset="toy", out=out, minutes=0.05, threads=1, workers=0, n_held_out=2)
    folder = train(options, say=said.append)
    card = (folder / "README.md").read_text()
    assert "| `len(s)` | " in card and "| `xs.pop(i)` | " in card and "first gate" in card
    assert "50% redexes" in card
    assert json.loads((tmp_path / "run" / "gates.json").read_text())[0]["n"] == 2
    answer = load(str(folder)).generate([Request("", "len('ab') -> ", 3)])[
        0
    ]  # the exported file has the shift
    assert answer.n_tokens_out > 0


def test_the_script_says_what_lists_a_model_can_look_up():
    script = load_script("measurements/redexes.py")
    table = script.lists_looked_up(network.build_model(SHAPE, seed=0), 2)
    assert [line.split(" | ")[0] for line in table.splitlines()[2:]] == [f"| {kind}" for kind in script.KINDS]
    assert "100 %" not in table, "random weights know nothing"
