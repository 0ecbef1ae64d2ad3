"""One run in one small file, without Arrow: a program and its packed trace, compressed.

    write_run("run.deskcheck", program, packed)
    read_run("run.deskcheck") -> (Program | None, Packed)

magic "dkrun001" | zlib of: u32 length of the program | the program (msgpack, texts escaped), empty where it
is not known | the packed trace (`packed.py`). Reading is strict and bounded: what is not exactly this is
DataError.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import msgspec

from deskcheck.errors import DataError, UserError
from deskcheck.format.buffers import Packed, escape, unescape
from deskcheck.format.files import replacing
from deskcheck.records import Program
from deskcheck.tracing.packed import pack, unpack

MAGIC = b"dkrun001"
SUFFIX = ".deskcheck"
MAX_BYTES = 4 << 30
"""Size of an uncompressed run that is read; a file that grows beyond it is refused, not unpacked."""
_FIELDS = tuple(Program.__struct_fields__)


def write_run(path: str | Path, program: Program | None, packed: Packed) -> None:
    """Write one run, whole or not at all. DataError where the disk does not take it."""
    texts = [escape(getattr(program, name)) for name in _FIELDS] if program is not None else []
    described = msgspec.msgpack.encode(texts) if texts else b""
    data = len(described).to_bytes(4, "little") + described + pack(packed)
    with replacing(Path(path)) as file:
        file.write(MAGIC + zlib.compress(data, 6))


def read_run(path: str | Path) -> tuple[Program | None, Packed]:
    """Read one run. UserError: no such file; DataError: it is not one that `write_run` made."""
    place = Path(path)
    try:
        raw = place.read_bytes()
    except FileNotFoundError:
        raise UserError(f"no such file: {path}") from None
    if not raw.startswith(MAGIC):
        raise DataError(
            f"{path} is not a saved run: its first bytes are not those of a {SUFFIX} file; record it again"
        )
    try:
        reader = zlib.decompressobj()
        data = reader.decompress(raw[len(MAGIC) :], MAX_BYTES)
        if not reader.eof or reader.unused_data:
            raise DataError("it is cut, longer than it says, or larger than 4 GB")
        size = int.from_bytes(data[:4], "little")
        program = _program(data[4 : 4 + size]) if size else None
        return program, unpack(data[4 + size :])
    except (zlib.error, msgspec.MsgspecError, UnicodeError, DataError) as error:
        raise DataError(f"{path} is not a readable run: {error}; record it again") from None


def _program(data: bytes) -> Program:
    texts = msgspec.msgpack.decode(data, type=list[str])
    if len(texts) != len(_FIELDS):
        raise DataError(f"its program has {len(texts)} fields, not {len(_FIELDS)}")
    return Program(**dict(zip(_FIELDS, map(unescape, texts), strict=True)))


def is_run(path: str | Path) -> bool:
    """Whether a file begins as a saved run does."""
    with open(path, "rb") as file:
        return file.read(len(MAGIC)) == MAGIC
