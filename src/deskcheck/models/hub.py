"""hub: a causal language model of transformers, from a folder or the Hugging Face hub, run as `tiny` is.

    deskcheck eval --model hub -M path=FOLDER --strategy line-1         -M device=cuda -M dtype=bfloat16

For models that were trained on a layout (`deskcheck train --model ..`). As for `tiny`, the attention keys of
the system message, which all prompts about a program share, are computed once; chains run side by side, and
earlier answers of a chain serve as drafts. Sampling is greedy unless an option changes it. The chat template
is the model's own; a model without one gets the texts one after another, as in training. For other uses,
Inspect has `hf/` and `vllm/`. Models whose state is not keys and values of all positions (Mamba) are not
supported.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from deskcheck.errors import MissingExtra, UserError
from deskcheck.inference.chat_template import give_template
from deskcheck.inference.slots import MAX_ROWS, Request, kind_of
from deskcheck.models import Question
from deskcheck.records import Completion


class HubEngine:
    """A model of transformers as an engine, which takes questions while it works on others."""

    batch = MAX_ROWS
    is_greedy = True
    """Whether equal prompts have equal replies, unless a temperature is asked for."""

    def __init__(self, model: Any, fingerprint: str) -> None:
        self.model = model
        self.fingerprint = fingerprint

    def answer(self, questions: list[Question]) -> list[Completion]:
        """Answer all questions in one batch."""
        answers: list[Completion] = self.model.generate([self.request(one) for one in questions])
        return answers

    def submit(self, question: Question, ticket: object) -> None:
        """Take one question; its ticket is returned with the answer."""
        self.model.batch.submit(self.request(question), ticket)

    def step(self) -> list[tuple[object, Completion]]:
        """Advance all questions under way; return the finished ones."""
        done: list[tuple[object, Completion]] = self.model.batch.step()
        return done

    def clear(self) -> None:
        """Forget all questions under way, after an error."""
        self.model.reset()

    def request(self, question: Question) -> Request:
        """Encode the conversation; the head ends with the last token that lies in the system message."""
        prompt, tokenizer = question.prompt, self.model.tokenizer
        turns = [{"role": message.role, "content": message.text} for message in prompt.messages]
        text = tokenizer.apply_chat_template(turns, add_generation_prompt=True, tokenize=False)
        system = turns[0]["content"] if turns[0]["role"] == "system" else ""
        end = text.find(system) + len(system) if system and system in text else 0
        read = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        ids = read["input_ids"]
        n_head = next((n for n, (_, last) in enumerate(read["offset_mapping"]) if last > end), len(ids))
        head, body = (" ".join(map(str, part)) for part in (ids[:n_head], ids[n_head:]))
        return Request(
            f"{head}\n" if head else "",
            body,
            prompt.max_tokens,
            prompt.stop,
            prompt.logprobs,
            sequence=f"{question.task_id}\n{question.sample}" if question.task_id else "",
            temperature=max(0.0, prompt.temperature),
            seed=question.seed,
            like=kind_of(turns[-1]["content"]) or " ",
        )


def engine(path: str = "", device: str = "", dtype: str = "", revision: str = "main") -> HubEngine:
    """Load the engine of a model. MissingExtra without transformers, UserError if there is no such model.

    `path`: a folder that `save_pretrained` wrote, or a name on the hub; `device`: "" = cuda if there is one;
    `dtype`: name of a number type of torch, "" = the model's own.
    """
    if not path:
        raise UserError("deskcheck/hub needs a model: -M path=FOLDER (or a name on the hub)")
    try:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        from deskcheck.inference.hub_network import HubModel, HubNetwork
    except ImportError as error:
        raise MissingExtra(error.name or "transformers", "train", "the model 'hub'") from None
    kind = getattr(torch, dtype, None) if dtype else "auto"
    if kind != "auto" and not isinstance(kind, torch.dtype):
        raise UserError(
            f"no number type called '{dtype}' (-M dtype=); float32, bfloat16 and float16 are some"
        )
    try:
        tokenizer = AutoTokenizer.from_pretrained(path, revision=revision)
        model = AutoModelForCausalLM.from_pretrained(path, revision=revision, dtype=kind).eval()
    except (OSError, ValueError) as error:
        why = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(": ")
        raise UserError(
            f"no model of transformers at '{path}': {why}; give a folder that "
            "save_pretrained wrote (config.json, the weights, the tokenizer's files) or a name on the hub"
        ) from None
    give_template(tokenizer)
    place = device or ("cuda" if torch.cuda.is_available() else "cpu")
    reader = HubModel(Path(path), HubNetwork(model.to(place)), tokenizer)
    return HubEngine(reader, _digest(path, revision, dtype))


def _digest(path: str, revision: str, dtype: str) -> str:
    """Hash names, sizes and times of a folder's files (reading 16 GB takes too long), or the hub's name."""
    files = sorted(file for file in Path(path).glob("*") if file.is_file())
    facts = [f"{one.name} {one.stat().st_size} {one.stat().st_mtime_ns}" for one in files]
    return hashlib.sha256(repr([path if not files else "", revision, dtype, *facts]).encode()).hexdigest()[
        :16
    ]
