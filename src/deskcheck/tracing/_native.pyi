from array import array
from collections.abc import Callable
from types import CodeType, FrameType

MISSING: object

def read_frame(frame: FrameType, /) -> tuple[list[object], list[object] | None, object]: ...
def addresses(container: object, /) -> bytes: ...
def attributes(instance: object, /) -> dict[object, object] | None: ...
def start(
    callback: Callable[[FrameType, int, object], object], own: str | Callable[[CodeType], str | None], /
) -> None: ...
def stop() -> None: ...
def active() -> bool: ...
def check(
    columns: list[bytes | memoryview],
    offsets: bytes | memoryview,
    counts: tuple[int, int, int, int, int],
    codes: list[tuple[int, bytes | None]],
    n_names: int,
    n_lines: int,
    outcome: int,
    value: int,
    flags: int,
    /,
) -> str | None: ...
def ascending(numbers: array[int], /) -> bool: ...

class CallGate:
    n_over: int
    def __new__(
        cls,
        callback: Callable[[FrameType], object],
        own: Callable[[CodeType], str | None],
        paused: dict[int, object],
        /,
    ) -> CallGate: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...
    def over(self, code: CodeType, /) -> None: ...
