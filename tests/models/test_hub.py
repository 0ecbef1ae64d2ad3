"""A hub model in the step engine answers as transformers does, and reads the code of a program once."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

for library in ("torch", "transformers", "tokenizers"):
    pytest.importorskip(library, reason="needs the extra 'train'")

import torch  # noqa: E402
from tests.training.small_model import write_small_model  # noqa: E402
from transformers import AutoModelForCausalLM, GPT2Config, GPTNeoXConfig, OPTConfig  # noqa: E402

from deskcheck.errors import UserError  # noqa: E402
from deskcheck.inference.hub_network import HubNetwork  # noqa: E402
from deskcheck.inference.network import RowInput  # noqa: E402
from deskcheck.models import Question  # noqa: E402
from deskcheck.models.hub import HubEngine  # noqa: E402
from deskcheck.models.hub import engine as load  # noqa: E402
from deskcheck.programs.generated import traced  # noqa: E402
from deskcheck.records import Completion, Message, NoAnswer, Prompt, Rollout, Task  # noqa: E402
from deskcheck.strategies import Settings, line_1  # noqa: E402
from deskcheck.training.hub.model import open_tokenizer  # noqa: E402

torch.set_num_threads(1)
TEMPLATE = (
    "{% for message in messages %}<{{ message['role'] }}>{{ message['content'] }}{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
CODE = "[line-1]\n@1 def f(n):\n@2     return n * {}\n"
pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"
)


@pytest.fixture(scope="module", params=["", TEMPLATE], ids=["base", "chat"])
def folder(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_model(tmp_path_factory.mktemp("hub"), template=request.param)


def questions(max_tokens: int = 12) -> list[Question]:
    """Steps of three programs, of different lengths."""
    return [
        Question(
            Prompt(
                [Message("system", CODE.format(factor)), Message("user", f"@2 | n={'1' * (step * 3 + 1)}\n")],
                max_tokens=max_tokens,
            ),
            f"program-{factor}",
            0,
            step,
        )
        for step in range(4)
        for factor in (2, 33, 444)
    ]


def by_generate(engine: HubEngine, question: Question) -> tuple[str, int]:
    """Text and number of tokens that transformers gives alone."""
    tokenizer, model = engine.model.tokenizer, engine.model.network.model
    turns = [{"role": one.role, "content": one.text} for one in question.prompt.messages]
    text = tokenizer.apply_chat_template(turns, add_generation_prompt=True, tokenize=False)
    ids = tokenizer(text, add_special_tokens=False, return_tensors="pt").input_ids
    out = model.generate(
        ids, attention_mask=torch.ones_like(ids), max_new_tokens=question.prompt.max_tokens, do_sample=False
    )[0, ids.shape[1] :]
    return tokenizer.decode(out, skip_special_tokens=True), ids.shape[1]


def test_a_window_of_attention_counts_the_tokens_of_its_own_sequence(tmp_path: Path) -> None:
    engine = load(str(write_small_model(tmp_path, window=8)), device="cpu")
    asked = [
        replace(one, prompt=replace(one.prompt, messages=[one.prompt.messages[0], Message("user", text)]))
        for one, text in zip(questions(), ["@2 | n=1\n", f"@2 | n='{'abc ' * 60}'\n"], strict=False)
    ]
    assert [(one.text, one.n_tokens_in) for one in engine.answer(asked)] == [
        by_generate(engine, one) for one in asked
    ]


@pytest.mark.parametrize("kind", [GPT2Config, OPTConfig, GPTNeoXConfig])
def test_the_shape_is_read_from_configurations_with_other_names(kind: Any) -> None:
    given = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    model = AutoModelForCausalLM.from_config(
        kind(**given, vocab_size=99, max_position_embeddings=64, word_embed_proj_dim=32)
    ).eval()
    cache = HubNetwork(model).cache(rows=1)
    found = cache.forward([RowInput(0, 0, [5, 6, 7])], wanted=[1, 2])
    with torch.inference_mode():
        alone = model(torch.tensor([[5, 6, 7]])).logits[0, 1:]
    assert found == pytest.approx(alone.numpy(), abs=1e-5)


def test_answers_are_those_of_generate_and_each_program_is_read_once(folder: Path) -> None:
    engine = load(str(folder), device="cpu")
    asked = questions()
    scored: list[int] = []
    head = engine.model.network.model.get_output_embeddings()
    with_hook = head.register_forward_hook(lambda _, read, scores: scored.append(scores[..., 0].numel()))
    said = engine.answer(asked)
    with_hook.remove()
    assert [(one.text, one.n_tokens_in) for one in said] == [by_generate(engine, one) for one in asked]
    assert len({one.text for one in said}) > 2, "the answers are too much alike to mean something"
    assert engine.model.n_heads_computed == 3
    assert max(scored) <= len(asked), "the last layer scored tokens that no answer needs"
    n_read = engine.model.batch.n_tokens
    assert [one.text for one in engine.answer(asked)] == [one.text for one in said]
    assert engine.model.n_heads_computed == 3
    assert n_read < sum(one.n_tokens_in for one in said), "the code was read again with every question"


def test_a_prompt_without_a_system_message_is_answered(folder: Path) -> None:
    engine = load(str(folder), device="cpu")
    asked = [
        Question(Prompt([Message("user", CODE.format(n))], max_tokens=6), f"t{n}", 0, 0) for n in (2, 33)
    ]
    said = engine.answer(asked)
    assert [(one.text, one.n_tokens_in) for one in said] == [by_generate(engine, one) for one in asked]


def test_a_line_1_chain_of_a_hub_model_runs_through_the_provider(folder: Path) -> None:
    pytest.importorskip("inspect_ai", reason="needs the extra 'eval'")
    from deskcheck.evaluation.provider import Batcher
    from deskcheck.models import load_engine

    engine = load_engine("hub", {"path": str(folder), "device": "cpu"})
    ((program, trace),) = traced("easy", seed=5, n=1)
    task = Task(program.id, "", "output", program, "0", trace, program.id)

    async def run() -> Rollout:
        batcher, calls = Batcher(engine), iter(range(9))

        async def ask(prompt: Prompt) -> Completion:
            return await batcher.ask(Question(replace(prompt, max_tokens=5), task.id, 0, next(calls)))

        return await line_1.run(task, ask, Settings(max_steps=3))

    rollout = asyncio.run(run())
    assert rollout.completions[0].n_tokens_out == 5
    assert isinstance(rollout.answer, NoAnswer), "random weights know nothing"


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no model of transformers at"):
        load(str(tmp_path))
    with pytest.raises(UserError, match="-M path="):
        load()


@pytest.mark.parametrize("begins", [False, True], ids=["no mark", "a mark of a beginning"])
def test_a_base_model_is_asked_as_it_is_trained(folder: Path, tmp_path: Path, begins: bool) -> None:
    """Without a template of its own; its tokenizer may begin every text with a mark."""
    from tokenizers.processors import TemplateProcessing
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = None
    if begins:
        tokenizer.add_special_tokens({"bos_token": "<s>"})
        marks = [("<s>", tokenizer.bos_token_id)]
        tokenizer.backend_tokenizer.post_processor = TemplateProcessing(single="<s> $A", special_tokens=marks)
    shutil.copytree(folder, tmp_path / "base", ignore=shutil.ignore_patterns("chat_template*"))
    tokenizer.save_pretrained(tmp_path / "base")
    turns = [{"role": "system", "content": "a\n"}, {"role": "user", "content": "b"}]
    trained = open_tokenizer(str(tmp_path / "base"), "main").apply_chat_template(turns, tokenize=False)
    assert trained == ("<s>" if begins else "") + "a\nb"
    asked = load(str(tmp_path / "base"), device="cpu").model.tokenizer
    assert asked.apply_chat_template(turns, tokenize=False) == trained
