"""Packing keeps every token, marks loss on targets alone, and lets no example see another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

np = pytest.importorskip("numpy", reason="needs the extra 'eval'")
pytest.importorskip("tokenizers", reason="needs the extra 'eval'")

from tests.training.toys import examples, labels, visible  # noqa: E402

from deskcheck.training.data import Question, encode, pack, select, show_batch, split_prompt  # noqa: E402
from deskcheck.training.tokenizer import BOS_ID, EOS_ID, build_tokenizer  # noqa: E402

TOKENIZER = build_tokenizer()
TOKENS = st.lists(st.integers(3, 700), max_size=9)
QUESTIONS = st.lists(
    st.builds(
        lambda head, body, target: Question((BOS_ID, *head), body, [*target, EOS_ID]),
        st.sampled_from([(10, 11), (12,), ()]),
        TOKENS,
        TOKENS,
    ),
    max_size=30,
)


def unpack(rows, row):
    """The examples of one row, as (head, body, target), from nothing but the row's arrays."""
    found = []
    for n in range(1, int(rows.question[row].max()) + 1):
        own = np.flatnonzero(rows.question[row] == n)
        group = rows.group[row, own[0]]
        head = np.flatnonzero((rows.group[row] == group) & (rows.question[row] == 0))
        ids, loss = rows.ids[row, own], rows.loss[row, own]
        positions = rows.position[row, np.concatenate([head, own])]
        assert positions.tolist() == list(range(len(positions)))
        found.append((tuple(rows.ids[row, head].tolist()), ids[~loss].tolist(), ids[loss].tolist()))
    return found


@given(QUESTIONS, st.integers(6, 40), st.booleans())
def test_rows_hold_every_example_that_fits_exactly_once(questions, max_length, share):
    rows, report = pack(questions, max_length=max_length, share_heads=share)
    kept = [q for q in questions if q.n_tokens <= max_length]
    assert report.n_read == len(questions) == report.n_kept + report.n_too_long
    assert report.n_kept == len(kept)
    held = [e for row in range(len(rows.ids)) for e in unpack(rows, row)]
    assert sorted(held) == sorted((q.head, q.body, q.target) for q in kept)


@given(QUESTIONS, st.integers(6, 40))
def test_loss_tokens_are_the_completion_tokens(questions, max_length):
    rows, report = pack(questions, max_length=max_length)
    wanted = sum(len(q.target) for q in questions if q.n_tokens <= max_length)
    assert report.n_loss == wanted == int((labels(rows) != -100).sum())


@given(QUESTIONS, st.integers(6, 40))
def test_a_token_sees_its_head_and_its_own_example_up_to_itself(questions, max_length):
    rows, _ = pack(questions, max_length=max_length)
    mask = visible(rows)
    for row in range(len(rows.ids)):
        for query in np.flatnonzero(rows.question[row] > 0):
            head = (rows.group[row] == rows.group[row, query]) & (rows.question[row] == 0)
            own = rows.question[row] == rows.question[row, query]
            expected = (head | own) & (np.arange(max_length) <= query)
            assert mask[row, query].tolist() == expected.tolist()
            assert expected.sum() == rows.position[row, query] + 1, (
                "what it sees is not what stands before it"
            )


def test_the_head_is_the_layout_and_the_numbered_lines():
    assert split_prompt("[direct]\n@1 def f(n):\n@2     return n\ncall f(3)\n") == (
        "[direct]\n@1 def f(n):\n@2     return n\n",
        "call f(3)\n",
    )
    assert split_prompt("[line-1]\n@1 x\n@2 \n@2 | n=3\n") == ("[line-1]\n@1 x\n@2 \n", "@2 | n=3\n")
    assert split_prompt("[line-1]\n@1 x\n") == ("[line-1]\n@1 x\n", "")


def test_an_example_longer_than_a_row_is_dropped_and_counted():
    long = Question((BOS_ID, 5), [7] * 20, [8, EOS_ID])
    _, report = pack([long, Question((BOS_ID, 5), [7], [8, EOS_ID])], max_length=10)
    assert (report.n_read, report.n_kept, report.n_too_long) == (2, 1, 1)


def test_sharing_heads_saves_tokens_and_keeps_the_loss_tokens():
    questions = list(encode(examples(0, 40), TOKENIZER))
    (_, shared), (_, apart) = (pack(questions, max_length=160, share_heads=share) for share in (True, False))
    assert shared.n_tokens < apart.n_tokens
    assert (shared.n_loss, shared.n_kept) == (apart.n_loss, apart.n_kept)


def test_rows_are_shuffled_by_the_seed_alone():
    questions = list(encode(examples(0, 40), TOKENIZER))
    first, again, other = (pack(questions, max_length=160, seed=seed)[0].ids for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_show_batch_marks_exactly_what_carries_loss():
    rows, _ = pack(encode(examples(0, 1), TOKENIZER), max_length=160)
    text = "".join(show_batch(select(rows, [n]), TOKENIZER) for n in range(len(rows.ids)))
    assert sorted(part.split("⟧")[0] for part in text.split("⟦")[1:]) == sorted(
        e.target + "␃" for e in examples(0, 1)
    )
