"""Where a frame can stand in its bytecode: instructions that begin a line, and those that wait for a call.

    flow_of(code).line_starts(4) -> offsets at which "line 4 is about to run" can be reported
    flow_of(code).calls(4) -> the calls on line 4: offset, name of what is called, stack below it
    flow_of(code).labels(offset) -> a letter a stack slot, as in `codes`, handled exceptions told apart
    flow_of(code).follow(offsets, line, raised=False) -> where the next line event of the frame can be

`follow` walks the control flow from one line event to the next, through exception handlers where something
was raised in between: so a line that the compiler wrote twice (a `finally`, the test of a `while`) is told
apart.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import CodeType

from tests.second_opinion.reenter import HANDLED

from deskcheck.tracing import codes

_CALLS = frozenset({"CALL", "CALL_FUNCTION_EX", "CALL_KW"})
_PREVIOUS, _TAKEN, _LASTI = "P", "X", "L"  # labels while following: what PUSH_EXC_INFO pushes, and lasti
_NAMES = frozenset(
    "LOAD_GLOBAL LOAD_NAME LOAD_FAST LOAD_FAST_BORROW LOAD_FAST_CHECK LOAD_DEREF LOAD_CLASSDEREF".split()
)
_NAMES_OF_TWO = ("LOAD_FAST_LOAD_FAST", "LOAD_FAST_BORROW_LOAD_FAST_BORROW")


@dataclass(frozen=True)
class Call:
    """An instruction that waits for a call."""

    offset: int
    name: str
    """Of what is called: "f", ".append" a method, "f.<locals>.<listcomp>" made there; "" unknown."""
    below: tuple[str, ...]
    """Labels of the stack below callable and arguments, as `Flow.stack` gives them."""


class Flow:
    """One code object's instructions and what lies on the stack before each."""

    def __init__(self, code: CodeType) -> None:
        self.instructions = {i.offset: i for i in dis.get_instructions(code)}
        order = list(self.instructions)
        self._next = dict(pairwise(order))
        self._handlers = list(codes.exception_handlers(code))
        self._stack: dict[int, tuple[str, ...]] = {}
        self._line: dict[int, int] = {}
        for start, end, line in code.co_lines():
            for offset in range(start, end, 2):
                if line is not None and offset in self.instructions:
                    self._line[offset] = line
        self._walk()
        reached = list(self._stack)
        edges = [(o, t) for o in reached for t in self._successors(o)]
        self._starts = {t for o, t in edges if self._is_event(o, t)}

    def labels(self, offset: int) -> str | None:
        """A letter a slot, bottom first; None for an instruction that is never reached."""
        stack = self._stack.get(offset)
        return None if stack is None else _plain(stack)

    def stack(self, offset: int) -> tuple[str, ...] | None:
        """The same one by one; behind a colon the name of what was loaded: "C:print", "M:.append"."""
        stack = self._stack.get(offset)
        return None if stack is None else _told_apart(stack)

    def line_starts(self, line: int) -> frozenset[int]:
        """Offsets where a line event of that line can be."""
        return frozenset(o for o in self._starts if self._line.get(o) == line and o in self._stack)

    def first(self, line: int) -> frozenset[int]:
        """Where the first line event of a frame can be."""
        begin = next((o for o, i in self.instructions.items() if i.opname == "RESUME"), 0)
        if self._line.get(begin) == line:  # the body stands on the header's line
            return frozenset({self._next[begin]})
        return self._of_line(self._until_event({begin})[1], line)

    def _of_line(self, ends: set[int], line: int) -> frozenset[int]:
        """Those of that line; an instruction that does nothing (3.12: a `try`) may have had no event."""
        for _ in range(3):
            found = frozenset(o for o in ends if self._line[o] == line and o in self._stack)
            silent = {o for o in ends if self.instructions[o].opname == "NOP"}
            if found or not silent:
                return found
            ends = self._until_event(silent)[1]
        return frozenset()

    def yields(self, offsets: Iterable[int], line: int) -> frozenset[int]:
        """Offsets of the yield that a frame waits in, which last ran from one of these."""
        reached, _ = self._until_event(set(offsets))
        return frozenset(
            o for o in reached if self.instructions[o].opname == "YIELD_VALUE" and self._line.get(o) == line
        )

    def n_handled(self, offset: int) -> int:
        """Exceptions whose handlers are running there."""
        labels = self.labels(offset) or ""
        return labels.count(HANDLED) + labels.count(codes.EXCEPTION)

    def reads_unbound(self, offset: int, names: Iterable[str]) -> str:
        """A variable that would be read, from there on, before it is bound and without a check; "" = none.

        From 3.12 on the compiler leaves checks out where it has proved that there is a value; a state from
        elsewhere than a run can be one that it never thought of. In a run's there is no such variable.
        """
        if sys.version_info < (3, 12):
            return ""
        for name in names:
            seen, work = {offset}, [offset]
            while work:
                at = work.pop()
                bound = False
                for what, variable in _touches(self.instructions[at]):
                    if variable == name and what == "read" and not bound:
                        return name
                    bound = bound or (variable == name and what == "bind")
                targets = [] if bound else self._successors(at)
                for target in {*targets, *self._handlers_of(at)} - seen:
                    seen.add(target)
                    work.append(target)
        return ""

    def after(self, offset: int) -> int:
        """Offset of the next instruction."""
        return self._next[offset]

    def calls(self, line: int) -> list[Call]:
        """The calls that stand on a line."""
        found = []
        for offset, instruction in self.instructions.items():
            if instruction.opname in _CALLS and self._line.get(offset) == line and offset in self._stack:
                stack = self._stack[offset]
                n = _n_called(instruction)
                below, called = stack[: len(stack) - n], stack[len(stack) - n :]
                found.append(Call(offset, _name_of(called), _told_apart(below)))
        return found

    def follow(self, offsets: Iterable[int], line: int, *, raised: bool) -> frozenset[int]:
        """Offsets of the next line event, if it is of that line."""
        seen, ends = self._until_event(set(offsets))
        if raised:  # anywhere on the way, and through any handler around there
            ends = set()
            done: set[int] = set()
            while targets := {t for o in seen for t in self._handlers_of(o)} - done:
                done |= targets
                seen, more = self._until_event(targets)
                ends |= more
        return self._of_line(ends, line)

    # -------------------------------------------------------------- walking

    def _until_event(self, starts: set[int]) -> tuple[set[int], set[int]]:
        """Instructions that run from there before the next line event, and those at which that can be."""
        seen, ends = set(starts), set()
        work = list(starts)
        while work:
            offset = work.pop()
            for target in self._successors(offset):
                if self._is_event(offset, target):
                    ends.add(target)
                elif target not in seen:
                    seen.add(target)
                    work.append(target)
        return seen, ends

    def _is_event(self, offset: int, target: int) -> bool:
        """Whether the step from one instruction to another begins a line: another line, or a jump back."""
        line = self._line.get(target)
        return line is not None and (line != self._line.get(offset) or target <= offset)

    def _successors(self, offset: int) -> list[int]:
        instruction = self.instructions[offset]
        name = instruction.opname
        found = [instruction.argval] if instruction.opcode in codes.JUMPS else []
        if name == "RERAISE" or (name == "RAISE_VARARGS" and not instruction.arg):
            # passes an exception on without a new event
            found += self._handlers_of(offset)
        if name not in codes.ENDS and name not in codes.JUMPS_ALWAYS and offset in self._next:
            found.append(self._next[offset])
        return found

    def _handlers_of(self, offset: int) -> list[int]:
        return [target for start, end, target, _, _ in self._handlers if start <= offset < end]

    def _walk(self) -> None:
        """Labels before each instruction; behind a colon the name of what was loaded: "C:f"."""
        work: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        while work:
            offset, stack = work.pop()
            if offset in self._stack:
                continue
            self._stack[offset] = stack
            for start, end, target, depth, lasti in self._handlers:
                if start <= offset < end:
                    work.append((target, stack[:depth] + ((_LASTI,) if lasti else ()) + (_TAKEN,)))
            instruction = self.instructions[offset]
            if instruction.opcode in codes.JUMPS:
                work.append((instruction.argval, _after(instruction, stack, jump=True)))
            if instruction.opname in codes.ENDS or instruction.opname in codes.JUMPS_ALWAYS:
                continue
            if offset in self._next:
                work.append((self._next[offset], _after(instruction, stack, jump=False)))


@lru_cache(maxsize=256)
def flow_of(code: CodeType) -> Flow:
    """The flow of a code object."""
    return Flow(code)


def _after(instruction: dis.Instruction, stack: tuple[str, ...], *, jump: bool) -> tuple[str, ...]:
    """Labels after an instruction; a label may carry the name of what was loaded: "V:f"."""
    name = instruction.opname
    if name == "PUSH_EXC_INFO":
        return (*stack[:-1], _PREVIOUS, _TAKEN)
    if name == "SWAP":
        low = len(stack) - (instruction.arg or 0)
        return (*stack[:low], stack[-1], *stack[low + 1 : -1], stack[low])
    if name == "COPY":
        return (*stack, stack[-(instruction.arg or 0)])
    letters = "".join(label[0] for label in stack)
    after = codes._after(instruction, letters, jump=jump)
    kept = 0
    while kept < min(len(stack), len(after)) and letters[kept] == after[kept]:
        kept += 1
    kept = min(kept, max(len(stack) - _n_in(instruction, len(stack), len(after)), 0))
    pushed = [*after[kept:]]
    labels = _loaded(instruction, stack)
    if labels and len(pushed) >= len(labels):
        at = next((i for i, letter in enumerate(pushed) if letter in "CM"), len(pushed) - len(labels))
        pushed[at : at + len(labels)] = [f"{x[0]}:{n}" for x, n in zip(pushed[at:], labels, strict=False)]
    return (*stack[:kept], *pushed)


def _n_in(instruction: dis.Instruction, before: int, after: int) -> int:
    """How many slots at the top an instruction takes, or may have changed."""
    name = instruction.opname
    if name == "STORE_FAST_LOAD_FAST":
        return 1
    if name.startswith(("POP_", "STORE_", "DELETE_")) or after > before:
        return max(before - after, 0)
    return before - after + 1 if after < before or name not in _TOUCHES_NOTHING else 0


_TOUCHES_NOTHING = frozenset(
    {
        "NOP",
        "NOT_TAKEN",
        "RESUME",
        "CACHE",
        "EXTENDED_ARG",
        "PRECALL",
        "KW_NAMES",
        "JUMP_FORWARD",
        "MAKE_CELL",
    }
)


def _loaded(instruction: dis.Instruction, stack: tuple[str, ...]) -> list[str]:
    """Names of what an instruction pushes, as far as it has any; "=x" is a variable put aside."""
    name = instruction.opname
    if name in _NAMES:
        return [str(instruction.argval)]
    if name == "LOAD_FAST_AND_CLEAR":
        return [f"={instruction.argval}"]
    if name in _NAMES_OF_TWO:
        return [*instruction.argval]
    if name == "STORE_FAST_LOAD_FAST":
        return [str(instruction.argval[1])]
    if name in ("LOAD_METHOD", "LOAD_ATTR", "LOAD_SUPER_ATTR"):
        return [f".{instruction.argval}"]
    if name == "LOAD_CONST" and isinstance(instruction.argval, CodeType):
        return [instruction.argval.co_qualname]
    if name == "PUSH_NULL" and sys.version_info >= (3, 13) and ":" in stack[-1]:
        return [stack[-1].partition(":")[2]]  # what is called stands below it
    if name in ("MAKE_FUNCTION", "SET_FUNCTION_ATTRIBUTE"):
        return [next((label.partition(":")[2] for label in reversed(stack) if ":" in label), "")]
    return []


def _touches(instruction: dis.Instruction) -> list[tuple[str, str]]:
    """What an instruction does to variables, in order: reads without a check, or binds."""
    name, value = instruction.opname, instruction.argval
    kinds = {
        "LOAD_FAST": ("read",),
        "LOAD_FAST_BORROW": ("read",),
        "STORE_FAST": ("bind",),
        "LOAD_FAST_LOAD_FAST": ("read", "read"),
        "LOAD_FAST_BORROW_LOAD_FAST_BORROW": ("read", "read"),
        "STORE_FAST_LOAD_FAST": ("bind", "read"),
        "STORE_FAST_STORE_FAST": ("bind", "bind"),
    }.get(name, ())
    return list(zip(kinds, [value] if isinstance(value, str) else value, strict=True)) if kinds else []


def _told_apart(stack: tuple[str, ...]) -> tuple[str, ...]:
    """Labels of `codes`, handled exceptions as one each."""
    found: list[str] = []
    for label in stack:
        if label == _TAKEN and found and found[-1] == codes.EXCEPTION:
            found[-1] = HANDLED
        else:
            found.append(codes.EXCEPTION if label == _PREVIOUS else label)
    return tuple(found)


def _plain(stack: tuple[str, ...]) -> str:
    """Their letters."""
    return "".join(label[0] for label in _told_apart(stack))


def _n_called(instruction: dis.Instruction) -> int:
    """Slots that a call takes from the stack: callable, filler or self, arguments."""
    argument = instruction.arg or 0
    if instruction.opname == "CALL_FUNCTION_EX":
        return 3 + (argument & 1)
    return argument + 2 + (instruction.opname == "CALL_KW")


def _name_of(called: tuple[str, ...]) -> str:
    """Name of the callable among the first two of what a call takes."""
    for label in called[:2]:
        if ":" in label:
            return label.partition(":")[2]
    return ""
