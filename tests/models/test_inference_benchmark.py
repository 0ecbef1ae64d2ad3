"""The benchmark of the step engine compares like with like: every mode writes the same number of tokens."""

from __future__ import annotations

from types import ModuleType

import pytest
from tests.scripts import load_script

for library in ("numpy", "onnxruntime", "tokenizers"):
    pytest.importorskip(library, reason="needs the extra 'eval'")

from deskcheck.models.tiny import load  # noqa: E402


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    return load_script("measurements/inference.py")


def test_every_mode_writes_the_same_tokens(benchmark: ModuleType) -> None:
    model, asked = load(threads=1), benchmark.questions()[:16]
    counts = {benchmark.by_engine(model, asked, 8, mode) for mode in ("all", "no drafts", "no reuse")}
    assert len(counts) == 1
    assert counts.pop() >= 2 * len(asked)


def test_chains_take_all_their_steps(benchmark: ModuleType) -> None:
    row = benchmark.chains(load(threads=1), "counter", 3, 10)
    assert (row["chains"], row["steps_each"]) == (3, 10)
    assert row["tokens_written"] >= 2 * 30
    assert len(row["resident_mib_by_tenths"]) == 10


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("inference.py --model /nowhere", "no model in '/nowhere'"),
        ("inference.py --repeats 0", "--repeats 0: it takes a number above 0"),
        ("inference.py --chain-steps 0", "--chain-steps 0: "),
        ("generation.py --families esay", "did you mean 'easy'?"),
        ("generation.py --rounds 0", "--rounds 0: "),
        ("training.py --preset tinny", "did you mean 'tiny'?"),
        ("training.py --seconds 0", "--seconds 0.0: "),
    ],
)
def test_what_a_benchmark_cannot_do_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str, why: str
) -> None:
    name, *rest = words.split()
    if name == "training.py":
        pytest.importorskip("torch", reason="needs the extra 'train'")
    monkeypatch.setattr("sys.argv", [name, *rest])
    assert load_script(f"measurements/{name}").main() == 2
    said = capsys.readouterr().err
    assert why in said
    assert said.count("\n") == 1


def test_half_of_the_training_benchmark_is_named_rightly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["training.py", "--only", "foo"])
    with pytest.raises(SystemExit, match="2"):
        load_script("measurements/training.py").main()
    assert "argument --only: invalid choice: 'foo'" in capsys.readouterr().err
