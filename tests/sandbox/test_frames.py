"""Frames, messages and batch files: read strictly, in whatever pieces they come, whatever the bytes are."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from deskcheck.sandbox import wire
from deskcheck.sandbox.parts import PART_BYTES, STREAMS
from deskcheck.sandbox.wire import (
    DONE,
    FRAME,
    FRAME_MAGIC,
    PART,
    RAISED,
    STARTED,
    Frame,
    FrameReader,
    TooLarge,
)

BODY_BYTES, OUTPUT_BYTES, PARTS_BYTES = 300, 100, 5000
frames = st.builds(
    Frame,
    kind=st.just(DONE),
    trip=st.just(0),
    refusals=st.lists(st.sampled_from(["write", "network"]), max_size=2),
    output=st.binary(max_size=OUTPUT_BYTES + 1),
    body=st.binary(max_size=BODY_BYTES),
)
last_frames = st.builds(
    Frame,
    kind=st.integers(DONE, RAISED),
    trip=st.integers(0, (1 << len(wire.TRIPS)) - 1),
    refusals=st.just([]),
    output=st.binary(max_size=OUTPUT_BYTES + 1),
    body=st.binary(max_size=BODY_BYTES),
)


def key(index: int) -> bytes:
    return bytes([index + 1]) * wire.KEY_BYTES


def encode(index: int, frame: Frame) -> bytes:
    refusals = " ".join(frame.refusals).encode()
    head = FRAME.pack(
        FRAME_MAGIC, index, frame.kind, b"\0\0\0", frame.trip, len(refusals), len(frame.output),
        len(frame.body), key(index), 0,
    )  # fmt: skip
    return head + refusals + frame.output + frame.body


START = FRAME.pack(FRAME_MAGIC, 0, STARTED, b"\0\0\0", 0, 0, 0, 0, key(0), 0)


def reader(n: int) -> FrameReader:
    return FrameReader(
        [key(i) for i in range(n)],
        body_bytes=BODY_BYTES,
        output_bytes=OUTPUT_BYTES,
        parts_bytes=PARTS_BYTES,
    )


def in_pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [data[a:b] for a, b in pairwise(edges)]


streams = st.tuples(st.lists(frames, max_size=4), last_frames).map(lambda pair: [*pair[0], pair[1]])


@given(streams, st.lists(st.integers(0, 10_000), max_size=8))
def test_frames_are_the_same_in_whatever_pieces_they_come(sent: list[Frame], cuts: list[int]):
    data = START + b"".join(encode(i, frame) for i, frame in enumerate(sent))
    took = reader(len(sent))
    found = [frame for piece in in_pieces(data, cuts) for frame in took.feed(piece)]
    assert found == sent
    assert took.started and took.ended and took.fault is None
    assert took.feed(b"x") == [] and took.fault is not None  # nothing may follow


@given(streams, st.integers(0, 10_000), st.integers(1, 255))
def test_a_header_that_was_changed_is_refused(sent: list[Frame], where: int, by: int):
    parts = [START, *(encode(i, frame) for i, frame in enumerate(sent))]
    which = where % len(parts)
    at = where // len(parts) % FRAME.size
    changed = bytearray(parts[which])
    changed[at] ^= by
    took = reader(len(sent))
    found = took.feed(b"".join([*parts[:which], changed, *parts[which + 1 :]]))
    took.close()
    assert found[: max(which - 1, 0)] == sent[: max(which - 1, 0)]
    # Kind, trip and lengths are not keyed: whoever may write a frame may write these. All else is sure.
    if at not in range(12, 13) and at not in range(16, 40):
        assert took.fault is not None and len(found) == max(which - 1, 0)


@given(st.integers(1, 3), st.lists(st.binary(max_size=200), max_size=6))
def test_any_bytes_are_frames_or_a_fault_and_never_held_without_end(n: int, pieces: list[bytes]):
    took = reader(n)
    for piece in [START, *pieces]:
        found = took.feed(piece)
        assert len(found) <= n
        assert len(took._buffer) <= FRAME.size + wire.MAX_REFUSALS + OUTPUT_BYTES + 1 + BODY_BYTES + len(
            piece
        )


@given(st.integers(BODY_BYTES + 1, (1 << 64) - 1), st.integers(0, 50))
def test_a_body_over_its_bound_is_refused_before_it_is_read(n_body: int, n_sent: int):
    took = reader(1)
    head = FRAME.pack(FRAME_MAGIC, 0, DONE, b"\0\0\0", 0, 0, 0, n_body, key(0), 0)
    assert took.feed(START + head + bytes(n_sent)) == []
    assert isinstance(took.fault, TooLarge)


def test_the_frame_of_a_neighbour_a_second_one_and_one_out_of_turn_are_refused():
    frame = Frame(DONE, 0, [], b"", b"x")
    for data in (
        encode(1, frame),  # before its turn
        encode(0, frame) * 2,
        START,
        encode(0, frame) + START,
        FRAME.pack(FRAME_MAGIC, 0, DONE, b"\0\0\0", 0, 0, 0, 0, key(1), 0),  # its neighbour's key
    ):
        took = reader(2)
        assert len(took.feed(START + data)) <= 1
        assert took.fault is not None
    unstarted = reader(2)
    assert unstarted.feed(encode(0, frame)) == [] and unstarted.fault is not None


def encode_part(index: int, stream: int, data: bytes, n_body: int = -1) -> bytes:
    n_body = len(data) if n_body < 0 else n_body
    return FRAME.pack(FRAME_MAGIC, index, PART, b"\0\0\0", stream, 0, 0, n_body, key(index), 0) + data


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, STREAMS - 1), st.binary(min_size=1, max_size=200)), max_size=5),
        min_size=1,
        max_size=3,
    ),
    st.lists(st.integers(0, 10_000), max_size=8),
)
def test_the_parts_of_a_job_come_with_its_frame_joined_by_stream(
    jobs: list[list[tuple[int, bytes]]], cuts: list[int]
):
    data, expected = START, []
    for index, sent in enumerate(jobs):
        joined: dict[int, bytes] = {}
        for stream, part in sent:
            data += encode_part(index, stream, part)
            joined[stream] = joined.get(stream, b"") + part
        data += encode(index, Frame(DONE, 0, [], b"", b"x"))
        expected.append(joined)
    took = reader(len(jobs))
    found = [frame for piece in in_pieces(data, cuts) for frame in took.feed(piece)]
    assert [{stream: bytes(view) for stream, view in frame.parts.items()} for frame in found] == expected
    assert took.ended and took.fault is None


def test_a_part_that_may_not_be_is_refused_and_what_came_before_it_is_forgotten():
    done = encode(0, Frame(DONE, 0, [], b"", b"x"))
    for data in (
        encode_part(0, STREAMS, b"x"),
        encode_part(0, 3, b""),
        encode_part(0, 3, b"", n_body=PART_BYTES + 1),
        encode_part(1, 3, b"x"),  # of a job that does not run
        done + encode_part(0, 3, b"x"),  # after its end
        FRAME.pack(FRAME_MAGIC, 0, PART, b"\0\0\0", 3, 1, 0, 1, key(0), 0) + b"xx",  # with refusals
        FRAME.pack(FRAME_MAGIC, 0, PART, b"\0\0\0", 3, 0, 0, 1, key(1), 0) + b"x",  # its neighbour's key
    ):
        took = reader(1)
        took.feed(START + data)
        assert took.fault is not None and not isinstance(took.fault, TooLarge)
    unstarted = reader(1)
    assert unstarted.feed(encode_part(0, 3, b"x")) == [] and unstarted.fault is not None
    for too_many in ([PARTS_BYTES + 1], [PARTS_BYTES, 1]):
        took = reader(1)
        took.feed(START + b"".join(encode_part(0, 3, bytes(n)) for n in too_many))
        assert isinstance(took.fault, TooLarge)
    took = reader(1)
    (frame,) = took.feed(START + encode_part(0, 3, b"x") + encode(0, Frame(RAISED, 0, [], b"", b"x")))
    assert frame.parts == {}  # of an answer only


@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=4))
def test_any_bytes_of_a_zygote_are_messages_or_a_value_error(data: bytes, cuts: list[int]):
    for noise in (data, wire.LENGTH.pack(len(data)) + data):
        buffer = bytearray()
        try:
            for piece in in_pieces(noise, cuts):
                buffer += piece
                wire.take_messages(buffer)
        except ValueError:
            continue
        assert len(buffer) < wire.LENGTH.size + wire.MAX_MESSAGE


@given(
    st.lists(
        st.one_of(st.builds(wire.Started, st.integers(1, 1 << 30), st.booleans()), st.just(wire.Ready(True)))
    )
)
def test_messages_come_out_as_they_went_in(messages: list[wire.Message]):
    buffer = bytearray(b"".join(map(wire.pack, messages)))
    assert wire.take_messages(buffer) == messages
    assert buffer == b""
