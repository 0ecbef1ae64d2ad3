"""A perturbed benchmark: same ids, other texts, same answers; what changed is dropped and counted."""

from __future__ import annotations

import pytest

from deskcheck.errors import UnknownName
from deskcheck.evaluation.truth import build_tasks


def test_a_perturbed_benchmark_keeps_ids_and_answers() -> None:
    plain = build_tasks("core", limit=12)
    renamed = build_tasks("core", limit=12, options={"perturb": "rename"})
    by_id = {task.id: task for task in plain.tasks}
    assert len(renamed.tasks) + len(renamed.dropped) == 12
    assert len(renamed.tasks) >= 6
    for task in renamed.tasks:
        assert task.expected == by_id[task.id].expected
        assert task.program.source != by_id[task.id].program.source
        assert task.cluster == by_id[task.id].cluster


def test_an_unknown_perturbation_lists_the_known() -> None:
    with pytest.raises(UnknownName, match="misleading-names"):
        build_tasks("core", limit=1, options={"perturb": "renme"})
