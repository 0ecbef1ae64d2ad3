"""One step of GRPO in TRL with the environment that owns its reward: TRL calls its tool and pays it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deskcheck.rewards import tasks
from deskcheck.rewards.trl_environment import ExecutionEnvironment

pytest.importorskip("jmespath", reason="TRL needs it for tools")
trl = pytest.importorskip("trl", reason="needs the extra 'train'")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
CALL = "<think>\n\n</think>\n\n<tool_call>\n{}\n</tool_call><|im_end|>"


def byte_tokenizer() -> Any:
    """A tokenizer of bytes with TRL's own template for a model that calls tools."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = {one: number for number, one in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    bare = Tokenizer(models.BPE(vocab=letters, merges=[]))
    bare.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bare.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(tokenizer_object=bare, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    made.add_tokens(["<|im_start|>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"])
    folder = Path(trl.__file__).parent / "chat_templates"
    made.chat_template = (folder / "qwen3.jinja").read_text(encoding="utf-8")
    return made


def tiny_model(vocabulary: int) -> Any:
    from transformers import Qwen3Config, Qwen3ForCausalLM

    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "head_dim": 16}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 1}
    model = Qwen3ForCausalLM(Qwen3Config(vocab_size=vocabulary, **sizes, **heads))
    model.config._name_or_path = "tiny"
    return model


def test_trl_pays_the_submitted_truth_and_not_nan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = tasks.dataset(tasks.TaskOptions(questions=("output",), steps=(5, 40), families=("easy",)), 4)
    words = byte_tokenizer()
    paid: list[tuple[str, float]] = []

    class Noted(ExecutionEnvironment):
        def get_reward(self) -> float:
            reward = super().get_reward()
            paid.append((self._submitted[0], reward))
            return reward

    config = trl.GRPOConfig(
        output_dir=str(tmp_path), per_device_train_batch_size=2, num_generations=2, max_steps=1,
        max_completion_length=400, report_to=[], use_cpu=True, save_strategy="no",
    )  # fmt: skip
    trainer = trl.GRPOTrainer(
        model=tiny_model(len(words)), processing_class=words, environment_factory=Noted,
        train_dataset=rows, args=config,
    )  # fmt: skip
    assert [tool.__name__ for tool in trainer.tools] == ["submit"]
    truths = {row["prompt"][-1]["content"]: row["expected"] for row in rows}

    def replies(self: Any, prompt_ids: list[list[int]], *rest: Any, **named: Any) -> tuple[Any, ...]:
        written = []
        for number, ids in enumerate(prompt_ids):
            text = words.decode(ids)
            truth = next(answer for question, answer in truths.items() if question[:200] in text)
            call = {"name": "submit", "arguments": {"answer": "nan" if number % 2 else truth}}
            is_told = "<tool_response>" in text
            written.append(words.encode("done<|im_end|>" if is_told else CALL.format(json.dumps(call))))
        return (written, *original(self, prompt_ids, *rest, **named)[1:])

    original = trl.GRPOTrainer._generate_single_turn
    monkeypatch.setattr(trl.GRPOTrainer, "_generate_single_turn", replies)
    trainer.train()
    assert sorted((answer == "nan", reward) for answer, reward in paid) == [(False, 1.0), (True, 0.0)]
    (logged,) = [row for row in trainer.state.log_history if "reward" in row]
    assert logged["reward"] == 0.5
    assert logged["tools/failure_frequency"] == 0.0
