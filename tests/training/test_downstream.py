"""Inspect's own tasks, before and after: asked of a small random model with stub data, paired by sample."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from deskcheck import cli
from deskcheck.errors import DataError, UnknownName, UserError
from deskcheck.sandbox import containment
from deskcheck.training.downstream import Asked, checked, difference, downstream, parse_tasks

ROWS = [
    {
        "question": f"Ann has {n} apples and buys {n}. How many?",
        "answer": f"{n} + {n} = {2 * n}\n#### {2 * n}",
    }
    for n in range(1, 13)
]
"""Questions in the layout of openai/gsm8k."""

SPEAKING = "{% for m in messages %}{{ m['content'] }}\n{% endfor %}"


def asked(**changes: Any) -> Asked:
    fields: dict[str, Any] = {"before": "mockllm/model", "after": "mockllm/model", "tasks": ("gsm8k",)}
    return Asked(**(fields | changes))


def test_what_cannot_be_asked_is_said_before_anything_is_asked():
    with pytest.raises(UnknownName, match="no downstream task called 'mmlu'"):
        checked(asked(tasks=("gsm8k", "mmlu")))
    with pytest.raises(UserError, match="--tasks names one twice: gsm8k,gsm8k"):
        checked(asked(tasks=("gsm8k", "gsm8k")))
    with pytest.raises(UserError, match="--sandbox local would run what the model writes"):
        checked(asked(tasks=("humaneval",), sandbox="local"))


@pytest.mark.filterwarnings("ignore:.*__get_validators__:DeprecationWarning")  # of a library of Inspect's
def test_a_sandbox_that_is_none_is_named_before_anything_is_asked():
    pytest.importorskip("inspect_evals", reason="needs the extra 'downstream'")
    with pytest.raises(UserError, match="no sandbox called 'dokcer'; Inspect has docker, deskcheck brings"):
        checked(asked(tasks=("humaneval",), sandbox="dokcer"))
    assert checked(asked(tasks=("humaneval",), sandbox="docker"))


@pytest.mark.parametrize("option", ["--limit", "--max-tokens"])
def test_numbers_below_zero_are_refused(option: str):
    done = CliRunner().invoke(cli.app, ["downstream", "a", "b", option, "-3"])
    assert isinstance(done.exception, UserError)
    assert f"{option} -" in str(done.exception)


def test_answers_to_a_sample_stand_behind_the_task():
    assert parse_tasks("humaneval, mbpp*1") == (("humaneval", "mbpp"), {"mbpp": 1})
    with pytest.raises(UserError, match="--tasks mbpp\\*0: the number of answers"):
        parse_tasks("mbpp*0")


def test_the_difference_is_paired_by_sample_and_says_what_is_left_out():
    before = {f"s{n}": float(n % 2) for n in range(40)} | {"lost": 1.0}
    after = {f"s{n}": 1.0 for n in range(40)}
    found = difference("gsm8k", before, after)
    assert (found.before, found.after, found.points.mean, found.n, found.n_left_out) == (0.5, 1.0, 0.5, 40, 1)
    assert found.points.low < 0.5 < found.points.high
    with pytest.raises(DataError, match="no sample was scored with both models"):
        difference("gsm8k", {"a": 1.0}, {"b": 1.0})


SUMS = [(f"add_{n}", f"    return a + {n}\n") for n in range(1, 5)]
HUMANEVAL = [
    {
        "task_id": f"Stub/{name}",
        "prompt": f'def {name}(a):\n    """The sum."""\n',
        "canonical_solution": body,
        "entry_point": name,
        "test": f"def check(f):\n    assert f(1) == {name}(1) and f(2) - f(1) == 1\n",
    }
    for name, body in SUMS
]
"""Problems in the layout of openai/openai_humaneval."""
MBPP = [
    {
        "task_id": n,
        "text": "Add a number.",
        "prompt": "Add a number.",
        "code": f"def {name}(a):\n{body}",
        "test_list": [f"assert {name}(1) == {1 + n}"],
        "test_imports": [],
        "source_file": "stub",
    }
    for n, (name, body) in enumerate(SUMS, 1)
]
"""Problems in the layout of google-research-datasets/mbpp, both of its parts."""


CONTAINED = pytest.mark.skipif(
    containment.find().level == "limits", reason="what models write runs at level seccomp and above"
)


@CONTAINED
@pytest.mark.filterwarnings("ignore")  # of inspect_evals and what it imports, about themselves
@pytest.mark.parametrize(
    ("task", "rows", "epochs", "n_answers"),
    [
        ("humaneval", HUMANEVAL, 0, 1),
        ("mbpp", MBPP, 0, 5),
        ("mbpp", MBPP, 1, 1),
        ("humaneval", HUMANEVAL, 2, 2),
    ],
)
def test_what_a_model_wrote_is_run_by_the_tasks_own_scorer(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    task: str,
    rows: list[dict[str, Any]],
    epochs: int,
    n_answers: int,
):
    """Two of four problems are answered before, one of them again after, with both others."""
    pytest.importorskip("inspect_evals", reason="needs the extra 'downstream'")
    import datasets
    from inspect_ai.log import read_eval_log
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from deskcheck.training import downstream as module

    def saying(right: set[int]) -> Any:
        """A model that knows the answers of these numbers."""

        def answer(messages: list[Any], *_: Any) -> ModelOutput:
            asked_for = messages[-1].text.split("Prompt:")[-1]  # of MBPP: after the examples
            number = next(n for n, (name, _) in enumerate(SUMS) if f"{name}(" in asked_for)
            body = SUMS[number][1] if number in right else "    return None"
            text = f"```python\ndef {SUMS[number][0]}(a):\n{body}\n```"
            output = ModelOutput.from_content("mockllm", text)
            output.usage = ModelUsage()  # else it would be counted with a tokenizer of the network
            return output

        return get_model("mockllm/model", custom_outputs=answer, memoize=False)

    monkeypatch.setattr(datasets, "load_dataset", lambda *words, **settings: datasets.Dataset.from_list(rows))
    models = iter([saying({0, 1}), saying({1, 2, 3})])
    monkeypatch.setattr(module, "opened", lambda name: next(models))
    (found,) = downstream(
        asked(
            tasks=(task,), log_dir=str(tmp_path), sandbox="deskcheck", epochs={task: epochs} if epochs else {}
        ),
        say=lambda text: None,
    )
    assert (found.before, found.after, found.n) == (2 / 4, 3 / 4, 4)
    logs = [read_eval_log(str(path)) for path in tmp_path.glob("*.eval")]
    assert [len(log.samples or []) for log in logs] == [4 * n_answers, 4 * n_answers]


@pytest.mark.filterwarnings("ignore")  # of inspect_evals and what it imports, about themselves
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"after": "runs/nowhere"}, "no model 'runs/nowhere': neither a folder nor a name"),
        ({"before": "nowhere"}, "no model 'nowhere': neither a folder nor a name"),
        ({"before": "EMPTY"}, "no config.json"),
        ({"after": "SCRATCH"}, r"none of transformers \(config.json without model_type\).*--model tiny"),
    ],
)
def test_a_model_that_is_none_is_named_before_the_other_is_asked(
    tmp_path: Path, changes: dict[str, str], message: str
):
    pytest.importorskip("inspect_evals", reason="needs the extra 'downstream'")
    (tmp_path / "scratch").mkdir()
    (tmp_path / "scratch" / "config.json").write_text('{"vocabulary": 793}')
    folders = {"EMPTY": str(tmp_path), "SCRATCH": str(tmp_path / "scratch")}
    given = {key: folders.get(value, value) for key, value in changes.items()}
    with pytest.raises(UserError, match=message):
        downstream(asked(**given))


@pytest.mark.filterwarnings("ignore")  # of inspect_evals and what it imports, about themselves
def test_data_that_cannot_be_had_are_one_clear_error(monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("inspect_evals", reason="needs the extra 'downstream'")
    import datasets

    def offline(*words: Any, **settings: Any) -> Any:
        raise ConnectionError("no way there\nlong story")

    monkeypatch.setattr(datasets, "load_dataset", offline)
    with pytest.raises(UserError, match="the data of gsm8k cannot be had: no way there; "):
        downstream(asked())


@pytest.mark.filterwarnings("ignore")  # of inspect_evals and what it imports, about themselves
def test_a_machine_without_docker_is_told_of_our_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("inspect_evals", reason="needs the extra 'downstream'")
    import datasets

    monkeypatch.setattr(datasets, "load_dataset", lambda *words, **settings: datasets.Dataset.from_list(MBPP))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        UserError, match=r"mbpp cannot be asked: Docker .*--sandbox deskcheck needs no Docker"
    ):
        downstream(
            asked(tasks=("mbpp",), before="mockllm/a", after="mockllm/b", log_dir=str(tmp_path / "logs"))
        )


STUB = """
import json, sys
import datasets
rows = json.loads(sys.argv.pop(1))
def stored(*words, **settings):
    name = words[0] if words and words[0] else settings["path"]
    return datasets.Dataset.from_list(rows[name.rpartition("/")[2]])
datasets.load_dataset = stored
from deskcheck.cli import main
main()
"""
"""The command with the hub's answer replaced: these rows for every split, nothing from the network."""


@CONTAINED
@pytest.mark.slow
def test_two_folders_are_asked_inspects_own_tasks(tmp_path: Path):
    pytest.importorskip("inspect_evals", reason="needs the extra 'downstream'")
    pytest.importorskip("torch", reason="needs the extra 'train'")
    from tests.training.small_model import write_small_model

    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before, after):
        folder.mkdir()
        write_small_model(folder, template=SPEAKING)
    rows = {"gsm8k": ROWS, "openai_humaneval": HUMANEVAL, "mbpp": MBPP}
    words = ["downstream", str(before), str(after), "--limit", "3", "--max-tokens", "4"]
    done = subprocess.run(
        [sys.executable, "-c", STUB, json.dumps(rows), *words, "--sandbox", "deskcheck",
         "--log-dir", str(tmp_path / "logs")],
        capture_output=True,
        text=True,
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    told = [line for line in done.stdout.splitlines() if "paired" in line]  # Inspect says what it loads
    for task, line in zip(("humaneval", "mbpp", "gsm8k"), told, strict=True):
        assert line.startswith(f"{task:<10} before   0.0 %  after   0.0 %  after minus before +0.0 points")
        assert line.endswith("paired, n=3")
    assert len(list((tmp_path / "logs").glob("*.eval"))) == 6


@pytest.mark.filterwarnings("ignore")  # of inspect_evals and what it imports, about themselves
def test_right_answers_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A model that knows the answers is right by the task's own scorer; the other is not."""
    pytest.importorskip("inspect_evals", reason="needs the extra 'downstream'")
    import datasets
    from inspect_ai.model import get_model

    from deskcheck.training import downstream as module

    def saying(text: str) -> Any:
        return get_model("deskcheck/scripted", answers=[text], memoize=False)

    rows = datasets.Dataset.from_list(ROWS)
    monkeypatch.setattr(datasets, "load_dataset", lambda *words, **settings: rows)
    models = iter([saying("ANSWER: 0"), saying("ANSWER: 4")])
    monkeypatch.setattr(module, "opened", lambda name: next(models))
    wanted = asked(log_dir=str(tmp_path), options={"gsm8k": {"fewshot": 0}})
    (found,) = downstream(wanted, say=lambda text: None)
    assert (found.before, found.after, found.n) == (0.0, 1 / 12, 12)
