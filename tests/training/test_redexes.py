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
from msgspec.structs import replace

np = pytest.importorskip("numpy", reason="needs the extra 'train'")
for library in ("torch", "transformers", "tokenizers"):
    pytest.importorskip(library, reason="needs the extra 'train'")

import msgspec  # noqa: E402
import torch  # noqa: E402
from tests.scripts import load_script  # noqa: E402

from deskcheck.corpus.interpreted import value_of  # noqa: E402
from deskcheck.decontamination.canonical import normal_form  # noqa: E402
from deskcheck.errors import UserError  # noqa: E402
from deskcheck.languages.python.working import working  # noqa: E402
from deskcheck.models.tiny import Request, Shape, load  # noqa: E402
from deskcheck.programs.generated import candidate, family_of  # noqa: E402
from deskcheck.records import Limits, Returned  # noqa: E402
from deskcheck.tracing.access import has_native  # noqa: E402
from deskcheck.tracing.program import make_program  # noqa: E402
from deskcheck.tracing.run import trace_program  # noqa: E402
from deskcheck.training import network, presets, trainer  # noqa: E402
from deskcheck.training.feed import Feed, Place  # noqa: E402
from deskcheck.training.natural import natural  # noqa: E402
from deskcheck.training.presets import Mix, Optimiser, Preset, Stage  # noqa: E402
from deskcheck.training.redexes import gates, rows, watch  # noqa: E402
from deskcheck.training.redexes.practice import Practice  # noqa: E402
from deskcheck.training.redexes.source import Practising  # noqa: E402
from deskcheck.training.redexes.table import FIRST, OPERATIONS, redex  # noqa: E402
from deskcheck.training.redexes.values import SIZES, Drawer  # noqa: E402
from deskcheck.training.scores import card_scores  # noqa: E402
from deskcheck.training.tokenizer import COMPUTING_SIZE, EOS_ID, build_tokenizer  # noqa: E402
from deskcheck.training.train import TrainOptions, first_rows, train  # noqa: E402

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


def stream(**more) -> rows.Redexes:
    return rows.Redexes(seed=1, sizes={"short": 0.7, "middle": 0.2, "long": 0.1}, **more)


def test_a_row_is_its_text_and_its_answers_carry_loss():
    tokenizer = build_tokenizer(size=COMPUTING_SIZE)
    read = rows.Reader()
    for _, _, drawer, found in drawn(2):
        piece = read.piece("", found.text, found.answer)
        state = "; ".join(f"{name}={literal}" for name, literal in drawer.state.items())
        whole = f"{state}{' | ' if state else ''}{found.text} -> {found.answer} | "
        line = rows.Line(read.state(list(drawer.state.items())), [piece])
        assert read.ids(whole) == [*line.state, *piece.asked, *piece.answer]
    batch = stream().batch(1_024, 0)
    n_rows, length = batch.rows.ids.shape
    assert batch.lengths.sum() == batch.rows.loss.sum()
    assert n_rows * length <= 1_024
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
    source, practised = stream(), []
    for step in range(40):
        batch = source.batch(1_024, step)
        practised += [" ".join(map(str, ids)) for ids in batch.rows.ids.tolist()]
    everything = "\n".join(practised)
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


def test_half_of_a_share_is_even_and_half_follows_progress():
    practice = {name: Practice(1e6, 50_000, 0.0, 0.0) for name in OPERATIONS}
    practice["s.title()"] = Practice(1e6, 50_000, 0.2, 0.6)  # is being learned
    practice["a * b"] = Practice(1e6, 50_000, 0.9, 0.9)  # is not
    source = stream(practice=practice)
    shares = source.shares()
    even = 1 / len(OPERATIONS)
    assert sum(shares.values()) == pytest.approx(1)
    assert min(shares.values()) == pytest.approx(even / 2)
    assert shares["s.title()"] > 20 * shares["a * b"] > 20 * even / 2
    learned = Practice()
    for _ in range(100):
        learned.hear(1_000, 50, 0.1)
    assert learned.fast == pytest.approx(0.1, abs=0.01) and learned.slow > 0.2


def test_what_the_first_gate_lacks_has_a_share_of_its_own_and_long_answers_are_drawn_less():
    practice = {name: Practice(1e6, 50_000, 0.04, 0.04) for name in OPERATIONS}
    even = stream(practice=practice).shares()
    assert even["a + b"] == pytest.approx(1 / len(OPERATIONS))
    practice["a + b"] = Practice(1e6, 50_000, 0.9, 0.9)
    practice["a * b"] = Practice(1e6, 50_000, 0.9, 0.9)  # not asked by the gate
    practice["list(s)"] = Practice(4e6, 50_000, 0.04, 0.04)
    shares = stream(practice=practice).shares()
    assert shares["a + b"] > 0.3 > 0.03 > shares["a * b"]
    assert shares["list(s)"] == pytest.approx(shares["s.title()"] / 2)
    practice["a + b"] = Practice(1e6, 50_000, 0.05, 0.05)  # met
    assert stream(practice=practice).shares()["a + b"] < 0.02


def test_lists_of_few_values_are_looked_up_too():
    """Only places tell their elements apart."""
    rng = Random(3)
    found = [Drawer(rng).alike() for _ in range(200)]
    assert all(1 <= len(elements) <= 6 and len(set(elements)) <= 3 for elements in found)
    assert {"True", "False", "None"} <= {element for elements in found for element in elements}


def test_the_stream_hears_which_operations_were_right():
    source = stream()
    batch = source.batch(1_024, 0)
    right = np.ones(int(batch.lengths.sum()), np.bool_)
    right[0] = False  # the first token of the first piece
    source.hear(batch, right)
    first = batch.names[0]
    n = batch.names.count(first)
    others = {name for name in batch.names if name != first}
    assert all(source.practice[name].fast < 1 for name in others)
    assert source.practice[first].fast == pytest.approx(
        1 + (1 / n - 1) * (1 - np.exp(-source.practice[first].n_tokens / 15_000))
    )


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
    program = make_program(DOUBLING, "f", "'abab'", origin="test", licence="Apache-2.0")
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


def preset_of(*stages: Stage) -> Preset:
    return Preset("toy", SHAPE, 4, Mix({"line-1": 1.0}), stages, bf16=False)


def test_a_stage_has_the_share_of_redexes_that_it_says(tmp_path: Path):
    first = Stage(0.5, {}, redexes=1.0, operations="first")
    preset = preset_of(first, Stage(0.5, {"easy": 1.0}, redexes=0.3))
    with Feed(preset, tmp_path, seed=0, workers=0, candidates=20) as feed:
        source = Practising(preset, feed, seed=0)
        names = set()
        for step in range(20):
            source.batch(step, 0.1)
            assert source._asked is not None
            names |= set(source._asked.names)
        assert names <= {*FIRST, *rows.LOOK_UPS}
        for step in range(60):
            source.batch(step, 0.6)
        given = source._given
        assert given[True] / sum(given.values()) == pytest.approx(0.3, abs=0.05)
        place = source.place
        again = Practising(preset, None, seed=0)
        again.go_to(place)
        assert again.place.practice == place.practice


@pytest.mark.parametrize("is_known", [True, False], ids=["counted", "checkpoint of before"])
def test_a_resumed_stage_goes_on_with_its_share_of_redexes(tmp_path: Path, is_known: bool):
    preset = preset_of(Stage(1.0, {"easy": 1.0}, redexes=0.3))
    with Feed(preset, tmp_path, seed=0, workers=0, candidates=20) as feed:
        source = Practising(preset, feed, seed=0)
        for step in range(60):
            source.batch(step, 0.6)
        place = source.place if is_known else replace(source.place, stage_redexes=-1)
        again = Practising(preset, feed, seed=0)
        again.go_to(place)
        before = {True: 0, False: 0}
        for step in range(60, 100):
            n_tokens = int((again.batch(step, 0.6).group >= 0).sum())
            before[again._asked is not None] += n_tokens
        assert before[True] / sum(before.values()) == pytest.approx(0.3, abs=0.07)
        if is_known:
            assert again._given[True] - before[True] == source._given[True]


class Asked:
    """A source at a stage, for the watch."""

    def __init__(self) -> None:
        self.stage, self.practice, self.advanced = 0, {"len(s)": Practice()}, 0
        self.is_spent = False

    def advance(self) -> None:
        self.advanced += 1


@pytest.mark.parametrize("right", [100, 10], ids=["met", "not met"])
def test_a_run_whose_first_gate_fails_stops_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: int
):
    row = gates.GateRow("len(s)", "short", 100, right, 0.0, 1.0, asked=0.95)
    monkeypatch.setattr(watch, "first_gate", lambda model, **more: [row])
    preset = preset_of(Stage(0.5, {}, redexes=1.0, gate=True), Stage(0.5, {"easy": 1.0}, redexes=0.3))
    source, said = Asked(), []
    look = watch.Gates(preset, source, tmp_path, said.append)
    assert look(None, trainer.State(1, n_tokens=100), 0.1) == ""
    assert not said  # not yet
    assert look(None, trainer.State(2, n_tokens=100 + watch.EVERY), 0.3) == ""
    assert source.advanced == (right == 100)
    source.stage = 1
    why = look(None, trainer.State(3, n_tokens=200 + watch.EVERY), 0.6)
    assert why == ("" if right == 100 else "stage 1 ended without meeting its gate: len(s) 10 % of 95")
    told = [json.loads(line) for line in (tmp_path / watch.NAME).read_text().splitlines()]
    assert [one["gate"] for one in told] == [{"len(s)": right / 100}] * 2


@pytest.mark.parametrize("right", [100, 10], ids=["met", "not met"])
def test_the_last_stage_is_judged_when_its_tokens_are_spent_and_not_after_a_resume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: int
):
    row = gates.GateRow("len(s)", "short", 100, right, 0.0, 1.0, asked=0.95)
    monkeypatch.setattr(watch, "first_gate", lambda model, **more: [row])
    preset = preset_of(Stage(1.0, {}, redexes=1.0, operations="first", gate=True, tokens=3_000))
    source = Practising(preset, None, seed=0)
    look, reasons = watch.Gates(preset, source, tmp_path, lambda text: None), []
    for step in range(20):
        source.batch(step, 0.1)
        reasons.append(look(None, trainer.State(step, n_tokens=step), 0.1))
        if source.is_spent:
            break
    assert reasons[:-1] == [""] * (len(reasons) - 1) and source.is_spent
    assert reasons[-1] == (
        "" if right == 100 else "stage 1 ended without meeting its gate: len(s) 10 % of 95"
    )
    again = Practising(preset, None, seed=0)
    again.go_to(source.place)
    look = watch.Gates(preset, again, tmp_path, lambda text: None)
    again.batch(20, 0.1)
    assert again.is_spent and look(None, trainer.State(20, n_tokens=20), 0.1) == ""


def test_a_stage_with_tokens_ends_when_they_are_spent():
    first = Stage(0.5, {}, redexes=1.0, operations="first", tokens=3_000)
    source = Practising(preset_of(first, Stage(0.5, {}, redexes=1.0)), None, seed=0)
    stages = []
    for step in range(12):
        source.batch(step, 0.1)
        stages.append(source.stage)
    assert stages == sorted(stages) and 2 < stages.count(0) < 10
    assert source.place.reached == 1


def test_rows_of_redexes_are_learned_and_a_resumed_run_goes_on(tmp_path: Path):
    preset = preset_of(Stage(1.0, {}, redexes=1.0, operations="first"))
    at_once = Optimiser(learning_rate=1e-2, warmup_share=0.0)
    preset = msgspec.structs.replace(preset, optimiser=at_once)
    settings = {"seed": 0, "threads": 1, "minutes": 30.0, "compiles": False, "log_steps": 1}
    source = Practising(preset, None, seed=0)
    first = trainer.fed(preset, source, tmp_path, stop_after=4, **settings)
    assert (first.n_steps, first.interrupted) == (4, True)
    again = Practising(preset, None, seed=0)
    done = trainer.fed(preset, again, tmp_path, stop_after=8, resume=True, **settings)
    assert done.n_steps == 8
    assert again.place.practice != Place(0, 0).practice
    log = [json.loads(line) for line in (tmp_path / trainer.LOG_NAME).read_text().splitlines()]
    assert [one["step"] for one in log] == list(range(1, 9))
    assert log[-1]["loss"] < log[0]["loss"] - 1


def test_the_command_trains_exports_and_says_what_each_operation_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    preset = preset_of(Stage(1.0, {}, redexes=1.0, operations="first", gate=True))
    monkeypatch.setitem(presets.PRESETS, "toy", msgspec.structs.replace(preset, mix=Mix({})))
    monkeypatch.setattr(card_scores, "N_GATE", 4)
    monkeypatch.setattr(card_scores, "OPERATIONS", dict.fromkeys(("len(s)", "xs.pop(i)")))
    out = str(tmp_path / "run")
    with pytest.raises(UserError, match="--minutes"):
        train(TrainOptions(preset="toy", out=out))
    assert " -> ⟦" in first_rows(TrainOptions(preset="toy", out=out, minutes=1.0))
    said: list[str] = []
    options = TrainOptions(preset="toy", out=out, minutes=0.05, threads=1)
    folder = train(options, say=said.append)
    card = (folder / "README.md").read_text()
    assert "| `len(s)` | " in card and "| `xs.pop(i)` | " in card and "first gate" in card
    assert "100% 100% redexes" in card
    assert json.loads((tmp_path / "run" / "gates.json").read_text())[0]["n"] == 4
    answer = load(str(folder)).generate([Request("", "len('ab') -> ", 3)])[
        0
    ]  # the exported file has the shift
    assert answer.n_tokens_out > 0


@pytest.mark.skipif(not has_native(), reason="expressions are traced by the C extension")
def test_the_recipe_goes_from_redexes_to_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Three stages give rows: redexes alone, then lines of `sub` between them."""
    lines = {"easy": 0.36, "real-1": 0.45, "states-1": 0.19}
    stages = (
        presets.Stage(0.15, {}, redexes=1.0, operations="first"),
        presets.Stage(0.6, lines, redexes=0.45),
        presets.Stage(0.25, lines, redexes=0.25),
    )
    mix = presets.Mix({"sub": 1.0}, natural=0.5)
    recipe = msgspec.structs.replace(presets.PRESETS["tiny-redexes"], mix=mix, stages=stages)
    small = msgspec.structs.replace(
        recipe, shape=msgspec.structs.replace(SHAPE, trained_length=512), bf16=False
    )
    with Feed(small, tmp_path, seed=0, workers=0, candidates=15) as feed:
        source = Practising(small, feed, seed=0)
        kinds = {stage: set() for stage in range(3)}
        for stage, share in enumerate((0.1, 0.5, 0.9)):
            for step in range(6):
                batch = source.batch(step, share)
                kinds[stage].add(network.is_causal(batch))
                assert source.stage == stage
        source.advance()
    assert kinds == {0: {True}, 1: {True, False}, 2: {True, False}}
    plan = msgspec.to_builtins(small)["mix"]
    assert plan["layouts"] == {"sub": 1.0}


def test_the_script_says_what_lists_a_model_can_look_up():
    script = load_script("measurements/redexes.py")
    table = script.lists_looked_up(network.build_model(SHAPE, seed=0), 2)
    assert [line.split(" | ")[0] for line in table.splitlines()[2:]] == [f"| {kind}" for kind in script.KINDS]
    assert "100 %" not in table, "random weights know nothing"
