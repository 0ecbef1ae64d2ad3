"""Features of a canonical tree for near copies: hashes of its expressions and statements, names left out.

    features_of(trees) -> frozenset of whole numbers of 32 bits, the same in every process

Every name is the same name, a test is its negation, and the operands of +, *, ==, < have no order. A feature
is an expression, a statement (of a compound one its head) or two statements that follow one another.
"""

from __future__ import annotations

import hashlib
from itertools import pairwise

from deskcheck.decontamination.canonical import NAME, Tree

BITS = 0xFFFF_FFFF
_HASHES: dict[str, int] = {}
_COMMUTE = frozenset({"Add", "Mult", "BitOr", "BitAnd", "BitXor"})
_SAME = 1
_POLE = {"Eq": "Eq", "NotEq": "Eq", "Is": "Is", "IsNot": "Is", "Lt": "Lt", "LtE": "Lt"}
"""A feature does not tell a test from its negation."""


def features_of(trees: tuple[Tree, ...]) -> frozenset[int]:
    """Hashes of all statements, expressions and pairs of neighboring statements."""
    reader = _Features()
    for tree in trees:
        reader.statement(tree)
    heads = reader.heads
    pairs = (hash((7, a, b)) & BITS for a, b in pairwise(heads))
    return frozenset(reader.found).union(pairs)


def _word(text: str) -> int:
    found = _HASHES.get(text)
    if found is None:
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=7).digest()
        found = int.from_bytes(digest, "big")
        if len(_HASHES) < 100_000:
            _HASHES[text] = found
    return found


_BLOCKS = frozenset({"body", "else", "handlers", "finalbody", "orelse", "cases"})
_STATEMENTS = frozenset({
    "Expr", "Assign", "Return", "If", "For", "While", "def", "class", "Try", "TryStar", "With", "AsyncWith",
    "Raise", "Assert", "Delete", "Match", "match_case", "ExceptHandler", "Continue", "Break", "TypeAlias",
})  # fmt: skip


class _Features:
    """Hashes a tree from its leaves up. Hashes of tuples of whole numbers are the same in every process."""

    def __init__(self) -> None:
        self.found: set[int] = set()
        self.heads: list[int] = []
        """One hash a statement, in the order of the text: of its head where it has a body."""

    def statement(self, tree: Tree) -> None:
        """A statement with all in it."""
        kind = tree[0]
        blocks = []
        parts = [_word(kind)]
        for part in tree[1:]:
            if type(part) is tuple and (part[0] in _BLOCKS or part[0] in _STATEMENTS):
                blocks.append(part)
            elif kind not in ("def", "class"):
                parts.append(self.value(part))
        if len(parts) > 1:
            head = hash(tuple(parts))
            self.found.add(head & BITS)
            self.heads.append(head)
        for block in blocks:
            if block[0] in _STATEMENTS:
                self.statement(block)
            else:
                for one in block[1:]:
                    self.statement(one)

    def value(self, tree: Tree) -> int:
        """An expression."""
        if type(tree) is str:
            return _word(tree)
        kind = tree[0]
        if kind == NAME:
            return _SAME
        parts = [self.value(part) for part in tree[1:]]
        if kind in _COMMUTE:
            parts.sort()
        elif kind == "Not":
            return parts[0]
        elif kind == "Compare" and len(tree) == 4 and tree[2] not in ("In", "NotIn"):
            parts = [_word(_POLE[tree[2]]), *sorted((parts[0], parts[2]))]
        elif kind == "Compare" and len(tree) == 4:
            parts[1] = _word("In")
        found = hash((_word(kind), *parts))
        self.found.add(found & BITS)
        if kind == "comprehension":
            self.found.add(hash((_word("For"), parts[0], parts[1])) & BITS)
            for test in parts[2:]:
                self.found.add(hash((_word("If"), test)) & BITS)
        elif kind == "ListComp":  # as the loop that appends the same
            append = hash((_word("Attribute"), _SAME, _word(".append")))
            call = hash((_word("Call"), append, parts[0]))
            self.found.update((call & BITS, hash((_word("Expr"), call)) & BITS))
        elif kind == "IfExp":
            self.found.add(hash((_word("If"), parts[0])) & BITS)
        return found
