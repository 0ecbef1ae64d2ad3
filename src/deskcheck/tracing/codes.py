"""Tell tracers the static facts about a code object: kind, slots, instructions, contents of its value stack.

    CodeFacts(code)                 computed once per code object
    CodeFacts.labels(offset)        kinds of value on the stack before the instruction at that offset
    CodeFacts.opcode(offset)        name of the instruction; an inline cache belongs to its instruction

The stack labels are computed by following the bytecode with `dis.stack_effect`. They tell a loop's iterator
from a temporary list, a callable from an argument, and a pending exception from a value.
"""

from __future__ import annotations

import dis
import inspect
import sys
from collections.abc import Iterator
from types import CodeType

from deskcheck.records import Place

# Labels of stack slots.
VALUE = "V"  # a temporary value
ITERATOR = "I"  # the iterator of a for loop, or the inner generator of a yield from
CALLABLE = "C"  # a callable that is about to be called
NULL = "N"  # the interpreter's filler
METHOD = "M"  # lower slot of a method pair (LOAD_METHOD)
SELF = "S"  # upper slot of a method pair
EXCEPTION = "E"  # the exception of a running handler
WITH = "W"  # the __exit__ of a with block

_CELL, _FREE = 0x40, 0x80  # CO_FAST_CELL and CO_FAST_FREE of Include/internal/pycore_code.h
_NO_OUTPUT = frozenset(
    "NOP RESUME CACHE EXTENDED_ARG LIST_APPEND SET_ADD MAP_ADD LIST_EXTEND SET_UPDATE DICT_UPDATE DICT_MERGE "
    "COPY_FREE_VARS MAKE_CELL RERAISE RAISE_VARARGS RETURN_VALUE RETURN_CONST END_FOR END_ASYNC_FOR PRECALL "
    "KW_NAMES CLEANUP_THROW IMPORT_STAR SETUP_ANNOTATIONS PRINT_EXPR POP_EXCEPT RETURN_GENERATOR "
    "NOT_TAKEN".split()
)
ENDS = frozenset("RETURN_VALUE RETURN_CONST RAISE_VARARGS RERAISE".split())
JUMPS_ALWAYS = frozenset(
    "JUMP_FORWARD JUMP_BACKWARD JUMP_BACKWARD_NO_INTERRUPT JUMP JUMP_NO_INTERRUPT".split()
)
# Python 3.14 also lists END_ASYNC_FOR as a jump, because it names the SEND that it ends.
JUMPS = (frozenset(dis.hasjrel) | frozenset(dis.hasjabs)) - {dis.opmap["END_ASYNC_FOR"]}


class CodeFacts:
    """Static facts about one code object; see the module's docstring."""

    __slots__ = (
        "_instructions",
        "_labels",
        "_owner",
        "code",
        "is_generator",
        "kind",
        "names",
        "places",
        "plain",
    )

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.kind = _kind(code)
        self.is_generator = bool(
            code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR)
        )
        self.names, self.places = _slots(code)
        self.plain = all(place is Place.LOCAL for place in self.places)
        self._instructions: dict[int, dis.Instruction] | None = None
        self._owner: dict[int, int] = {}
        self._labels: dict[int, str] | None = None

    def instruction(self, offset: int) -> dis.Instruction | None:
        """Return the instruction that the offset belongs to; None before the first one."""
        if self._instructions is None:
            self._instructions = {i.offset: i for i in dis.get_instructions(self.code)}
            owner = 0
            for position in range(0, len(self.code.co_code), 2):
                owner = position if position in self._instructions else owner
                self._owner[position] = owner
        return self._instructions.get(self._owner.get(offset, -1))

    def opcode(self, offset: int) -> str:
        """Return the name of the instruction at the offset, "" if there is none."""
        found = self.instruction(offset)
        return found.opname if found else ""

    def argument(self, offset: int) -> int:
        """Return the argument of the instruction at the offset, 0 if it has none."""
        found = self.instruction(offset)
        return (found.arg or 0) if found else 0

    def labels(self, offset: int) -> str:
        """Return one letter per stack slot, bottom first, before the instruction runs; "" if unknown."""
        if self._labels is None:
            self.instruction(0)
            self._labels = _stack_labels(self.code, list((self._instructions or {}).values()))
        return self._labels.get(self._owner.get(offset, -1), "")

    def n_unchanged(self, offset: int) -> int | None:
        """Return the number of stack slots that the instruction leaves unchanged; None if unknown."""
        found = self.instruction(offset)
        if found is None or (found.arg or 0) > 255:
            return None
        if found.opname in ("LOAD_ATTR", "LOAD_SPECIAL", "LOAD_SUPER_ATTR"):
            n_in = 3 if found.opname == "LOAD_SUPER_ATTR" else 1
        else:
            net = dis.stack_effect(
                found.opcode, found.arg if found.opcode >= dis.HAVE_ARGUMENT else None, jump=False
            )
            n_in = _made_by(found.opname, net) - net
        return max(len(self.labels(offset)) - n_in, 0)


def _kind(code: CodeType) -> str:
    if code.co_name in ("<listcomp>", "<setcomp>", "<dictcomp>"):
        return "comprehension"
    if code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        return "coroutine"
    if code.co_flags & inspect.CO_GENERATOR:
        return "generator"
    if code.co_flags & inspect.CO_OPTIMIZED:
        return "function"
    return "module" if code.co_name == "<module>" else "class"


def _slots(code: CodeType) -> tuple[list[str], list[Place]]:
    """Return names and places in the order of the frame's slots: locals, own cells, free variables."""
    cells = set(code.co_cellvars)
    names = list(code.co_varnames) + [n for n in code.co_cellvars if n not in code.co_varnames]
    places = [Place.CELL if name in cells else Place.LOCAL for name in names]
    return names + list(code.co_freevars), places + [Place.FREE] * len(code.co_freevars)


# ------------------------------------------------------------------ the value stack


def _stack_labels(code: CodeType, instructions: list[dis.Instruction]) -> dict[int, str]:
    """Follow the bytecode along all jumps; return offset -> labels before that instruction."""
    at = {instruction.offset: index for index, instruction in enumerate(instructions)}
    labels: dict[int, str] = {}
    handlers = list(exception_handlers(code))
    work = [(0, "")]
    while work:
        index, stack = work.pop()
        while index < len(instructions):
            instruction = instructions[index]
            if instruction.offset in labels:
                break
            labels[instruction.offset] = stack
            for start, end, target, depth, lasti in handlers:
                if start <= instruction.offset < end and target in at and target not in labels:
                    work.append((at[target], stack[:depth] + EXCEPTION * (2 if lasti else 1)))
            if instruction.opcode in JUMPS:
                work.append((at[instruction.argval], _after(instruction, stack, jump=True)))
            if instruction.opname in ENDS or instruction.opname in JUMPS_ALWAYS:
                break
            follows = instructions[index + 1].opname if index + 1 < len(instructions) else ""
            if instruction.opname == "PUSH_NULL" and follows == "CALL_FUNCTION_EX":
                stack += NULL  # 3.14: no keywords; the callable lies below
            else:
                stack = _after(instruction, stack, jump=False)
            index += 1
    return labels


def _after(instruction: dis.Instruction, stack: str, *, jump: bool) -> str:
    """Return the labels after one instruction."""
    special = _special(instruction, stack)
    if special is not None:
        return special
    name, argument = instruction.opname, instruction.arg
    net = dis.stack_effect(
        instruction.opcode, argument if instruction.opcode >= dis.HAVE_ARGUMENT else None, jump=jump
    )
    n_out = _made_by(name, net)
    n_in = n_out - net
    stack = stack[: len(stack) - n_in] if n_in > 0 else stack
    pushed = stack + VALUE * n_out
    if n_out == 1 and sys.version_info < (3, 13) and len(pushed) > 1 and pushed[-2] == NULL:
        return pushed[:-1] + CALLABLE
    return pushed


def _made_by(name: str, net: int) -> int:
    """Return the number of values that an instruction leaves on top, given its effect on the depth."""
    if name in _NO_OUTPUT or name.startswith(("STORE_FAST_STORE", "STORE_", "DELETE_", "POP_")):
        return 1 if name in ("STORE_FAST_LOAD_FAST", "STORE_FAST_MAYBE_NULL_LOAD_FAST") else max(net, 0)
    if name.startswith(("UNPACK_", "LOAD_FAST_LOAD_FAST", "LOAD_FAST_BORROW_LOAD")):
        return net + (1 if name.startswith("UNPACK_") else 0)
    if name in JUMPS_ALWAYS or (net < 0 and name.startswith(("FOR_ITER", "JUMP_IF_"))):
        return 0
    return max(1, net)


def _special(instruction: dis.Instruction, stack: str) -> str | None:
    """Return all labels of the stack after an instruction that needs its own rule, None for others."""
    name, argument = instruction.opname, instruction.arg or 0
    if name in ("GET_ITER", "GET_YIELD_FROM_ITER", "GET_AITER", "GET_AWAITABLE"):
        return stack[:-1] + ITERATOR
    if name.startswith("LOAD_FAST") and instruction.argval == ".0":
        return stack + ITERATOR  # the argument of a comprehension
    if name == "COPY":
        return stack + stack[len(stack) - argument : len(stack) - argument + 1]
    if name == "SWAP":
        low = len(stack) - argument
        return stack[:low] + stack[-1:] + stack[low + 1 : -1] + stack[low : low + 1]
    if name == "PUSH_NULL":
        return (stack[:-1] + CALLABLE + NULL) if sys.version_info >= (3, 13) else stack + NULL
    if name == "LOAD_GLOBAL" and argument & 1:
        return stack + (CALLABLE + NULL if sys.version_info >= (3, 13) else NULL + CALLABLE)
    if name == "LOAD_METHOD" or (name == "LOAD_ATTR" and sys.version_info >= (3, 12) and argument & 1):
        return stack[:-1] + METHOD + SELF
    if name == "LOAD_SUPER_ATTR":
        return stack[:-3] + (METHOD + SELF if argument & 1 else VALUE)
    if name == "PUSH_EXC_INFO":
        return stack[:-1] + EXCEPTION + EXCEPTION
    if name == "BEFORE_WITH" or name == "BEFORE_ASYNC_WITH":
        return stack[:-1] + WITH + VALUE
    if name == "LOAD_SPECIAL":
        return stack[:-1] + WITH + WITH  # __enter__, __exit__, each with its self
    if name == "CALL" and sys.version_info < (3, 12):  # stack_effect counts the arguments at PRECALL
        return stack[: len(stack) - argument - 2] + VALUE
    if name == "PRECALL":
        return stack
    return None


def exception_handlers(code: CodeType) -> Iterator[tuple[int, int, int, int, bool]]:
    """Yield (start, end, target, depth, pushes lasti); format: Objects/exception_handling_notes.txt."""
    data = iter(code.co_exceptiontable)

    def number() -> int:
        byte = next(data)
        value = byte & 63
        while byte & 64:
            byte = next(data)
            value = value << 6 | byte & 63
        return value

    while True:
        try:
            start = number() * 2
        except StopIteration:
            return
        length, target, flags = number() * 2, number() * 2, number()
        yield start, start + length, target, flags >> 1, bool(flags & 1)


def code_objects(code: CodeType) -> Iterator[CodeType]:
    """Yield the code object and all code objects nested in it, in the order of the constants."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from code_objects(constant)
