"""Mixtures: drawn by weight from a seed, split by family, streamed."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace

pytest.importorskip("numpy", reason="needs the extra 'eval'")
pytest.importorskip("pyarrow", reason="needs the extra 'data'")

from deskcheck.errors import DataError, UserError
from deskcheck.format.shards import write_pairs
from deskcheck.programs.generated import traced
from deskcheck.records import Example
from deskcheck.tracing.program import make_program
from deskcheck.training.hub.data import HubOptions, hub_options, run_examples, with_layouts
from deskcheck.training.mixture import Mixture, Part, Splits, interleaved, read_mixture
from deskcheck.training.preview import examples_text

PARTS = [Part("a", {"line-1": 1.0}, weight=3.0), Part("b", {"direct": 1.0})]


def endless(part: Part):
    while True:
        yield part.data


def test_parts_are_drawn_by_weight_and_the_seed_decides():
    found = list(interleaved(Mixture(PARTS, seed=1, n=4_000), endless))
    assert len(found) == 4_000 and abs(Counter(found)["a"] / 4_000 - 0.75) < 0.03
    assert found == list(interleaved(Mixture(PARTS, seed=1, n=4_000), endless))
    assert found != list(interleaved(Mixture(PARTS, seed=2, n=4_000), endless))


def test_nothing_is_read_before_it_is_drawn_and_a_part_at_its_end_drops_out():
    read: list[str] = []

    def items(part: Part):
        for _ in range(2 if part.data == "a" else 5):
            read.append(part.data)
            yield part.data

    drawn = interleaved(Mixture(PARTS, seed=1), items)
    first = list(islice(drawn, 3))
    assert len(read) == 3
    assert Counter([*first, *drawn]) == {"a": 2, "b": 5}


def program(name: str, number: int):
    loop = f"    for i in range(3):\n        {name}.append(i + x)\n"
    source = f"def f(x):\n    {name} = [x, {number}]\n{loop}    return {name}\n"
    return make_program(source, "f", "1", origin=f"{name}:{number}")


def other(number: int):
    body = "\n".join(f"    if x == {n}:\n        return str(x) * {n}" for n in range(number + 1))
    return make_program(f"def g(x):\n{body}\n    return x\n", "g", "1", origin=f"g:{number}")


def test_a_family_is_in_one_split_whatever_is_asked_and_whatever_the_weights():
    shares = {"train": 0.7, "test": 0.3}
    parts = {"a": [program("xs", 1), *map(other, range(30))], "b": [program("ys", 2), program("zs", 7)]}

    def splits(split: str, weight: float) -> Splits:
        mixture = Mixture([Part("a", {"direct": 1.0}, weight=weight), PARTS[1]], split=split, shares=shares)
        return Splits(mixture, lambda part: iter(parts[part.data]))

    everything = [one for programs in parts.values() for one in programs]
    train, test = splits("train", 1.0), splits("test", 9.0)
    assert all(train.has(one) != test.has(one) for one in everything)
    assert len({train.of(one) for one in (parts["a"][0], *parts["b"])}) == 1
    assert {train.of(one) for one in everything} == {"train", "test"}


def test_a_program_that_cannot_be_read_founds_no_family():
    parts = {"a": [replace(other(1), source="def f(:\n")], "b": [other(2)]}
    mixture = Mixture(PARTS, split="train", shares={"train": 1.0})
    splits = Splits(mixture, lambda part: iter(parts[part.data]))
    assert splits.has(parts["b"][0])
    with pytest.raises(SyntaxError):
        splits.has(parts["a"][0])


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "easy.parquet"
    write_pairs(path, traced("easy", seed=5, n=12))
    return path


def mixture_file(folder: Path, dataset: Path, head: str = "", layouts: str = "line-1 = 1.0") -> Path:
    file = folder / "mix.toml"
    file.write_text(
        f'seed = 3\n{head}\n[[part]]\ndata = "{dataset}"\nlayouts = {{ {layouts} }}\n'
        '[[part]]\ndata = "generated:first"\nlayouts = { direct = 1.0 }\n'
    )
    return file


def made(file: Path, *, skip: int = 0) -> tuple[list[list[Example]], Counter[str]]:
    """The examples of each program, and what became of all."""
    counts: Counter[str] = Counter()
    options = HubOptions(model="", data=str(file), out="", programs=12)
    found = [[one for one, _ in run(counts, [])] for run in run_examples(options, skip=skip)]
    return found, counts


def test_a_mixture_gives_programs_in_the_layouts_of_their_part(tmp_path: Path, dataset: Path):
    file = mixture_file(tmp_path, dataset, "n = 14")
    found, counts = made(file)
    assert counts["programs"] == len(found) == 14
    assert {tuple({one.layout for one in some}) for some in found} == {("line-1",), ("direct",)}
    assert found == made(file)[0]
    assert made(file, skip=9)[0] == found[9:], "a run that goes on"
    assert with_layouts(HubOptions(model="", data=str(file), out="")).layouts == ["line-1", "direct"]


def test_two_splits_of_one_file_share_the_programs_and_all_are_counted(tmp_path: Path, dataset: Path):
    shares = "shares = { train = 0.6, test = 0.4 }"
    whole, _ = made(mixture_file(tmp_path, dataset))
    train, of_train = made(mixture_file(tmp_path, dataset, f'split = "train"\n{shares}'))
    test, of_test = made(mixture_file(tmp_path, dataset, f'split = "test"\n{shares}'))
    assert of_train["other split"] > 0 < of_test["other split"]
    assert of_train["other split"] + of_test["other split"] == of_train["programs"] == len(whole)
    assert [a + b for a, b in zip(train, test, strict=True)] == whole
    assert all(not a or not b for a, b in zip(train, test, strict=True))


def test_a_share_of_a_layout_is_of_the_programs_and_who_is_in_none_is_counted(tmp_path: Path, dataset: Path):
    found, counts = made(mixture_file(tmp_path, dataset, layouts="direct = 0.3, line-1 = 0.5"))
    layouts = Counter(name for some in found for name in {one.layout for one in some})
    assert 0 < layouts["line-1"] < 12
    assert counts["not drawn"] == sum(not some for some in found) > 0
    assert counts["unusable"] == 0


def test_a_mixture_and_layouts_of_ones_own_are_refused(tmp_path: Path, dataset: Path):
    file = mixture_file(tmp_path, dataset)
    given = {"model": "m", "data": str(file), "out": "o", "layouts": ["direct"]}
    with pytest.raises(UserError, match="names its layouts itself"):
        hub_options(given, [])
    with pytest.raises(UserError, match="names its layouts itself"):
        examples_text(file, "direct", n=1)
    with pytest.raises(UserError, match="line-99"):
        made(mixture_file(tmp_path, dataset, layouts="line-99 = 1.0"))


def test_what_carries_loss_is_marked(tmp_path: Path, dataset: Path):
    pytest.importorskip("tokenizers", reason="needs the extra 'train'")
    text = examples_text(dataset, "line-1", n=1)
    assert text.startswith("=== f(") and "--- line-1, step 0:" in text and "tokens without loss" in text
    assert text.count("⟦") == text.count("|␃⟧") == text.count("\n--- line-1") <= 4
    first = next(some for some in made(mixture_file(tmp_path, dataset, "n = 1"))[0] if some)[0]
    mixed = examples_text(tmp_path / "mix.toml", "", n=1)
    marked = mixed.split("⟦")[1].split("|␃⟧")[0]
    assert marked.replace("|", "") == first.target.replace("|", "")
    assert mixed.endswith("read 1, shown 1, left out 0")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("part = 3", "is no mixture"),
        ('[[part]]\ndata = "a"\nlayouts = {}\n', "needs layouts"),
        ('[[part]]\ndata = "a"\nweight = 0\nlayouts = { direct = 1.0 }\n', "a number over 0"),
        (
            'split = "dev"\nshares = { train = 1.0 }\n[[part]]\ndata = "a"\nlayouts = { direct = 1.0 }\n',
            "none of",
        ),
        ('n = -1\n[[part]]\ndata = "a"\nlayouts = { direct = 1.0 }\n', "0 or more"),
        ('split = "dev"\n[[part]]\ndata = "a"\nlayouts = { direct = 1.0 }\n', "needs shares"),
    ],
)
def test_a_wrong_mixture_is_one_message(tmp_path: Path, text: str, what: str):
    (tmp_path / "m.toml").write_text(text)
    with pytest.raises((UserError, DataError), match=what):
        read_mixture(tmp_path / "m.toml")
    with pytest.raises(UserError, match="no mixture at"):
        read_mixture(tmp_path / "none.toml")
