"""CRUXEval: 800 short Python functions with one input each; what does the call return?

Source: Gu et al., arXiv 2401.03065; github.com/facebookresearch/cruxeval, data/cruxeval.jsonl. License: MIT.
Row: code (always defines `f`), input (argument text, may be empty or hold several), output (literal), id
("sample_0"). Every program is its own cluster.
"""

from __future__ import annotations

from collections.abc import Iterator

from deskcheck.data_files import rows_of, text_field
from deskcheck.records import TaskDraft
from deskcheck.tracing.program import make_program

HUB = ("cruxeval-org/cruxeval", "b96af0450242eb4da433032b90998f25588a5d0f", "test.jsonl")
# sha256 of the file in the repository above. Its programs are known and may run at any containment level.
PINNED = frozenset({"8368b81047dc5014e4caf5a2f97604eff7644e0ecd7415e3ceeb184bbc2e0c96"})
ENTRY = "f"


def drafts(data: str) -> Iterator[TaskDraft]:
    """Yield all drafts of the file at `data` ("" = the hub's), in the order of the file."""
    for path, number, row in rows_of(data, HUB):
        code, arguments, output, identity = (
            text_field(row, name, path, number) for name in ("code", "input", "output", "id")
        )
        program = make_program(code, ENTRY, arguments, origin=f"cruxeval:{identity}", license="MIT")
        yield TaskDraft(id=identity, program=program, recorded=output, cluster=identity)
