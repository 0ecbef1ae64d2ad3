"""A small random model with a byte-level BPE of its own, as a folder of the hub's layout."""

from __future__ import annotations

from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    Gemma3ForCausalLM,
    Gemma3TextConfig,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
)

from deskcheck.programs.generated import traced


def write_small_model(folder: Path, *, template: str = "", window: int = 0) -> Path:
    """Two layers of 32; with a chat template, or a Gemma with a layer that sees `window` tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=["</s>"], initial_alphabet=alphabet)
    texts = [program.source for program, _ in traced("easy", seed=5, n=40)]
    tokenizer.train_from_iterator(texts, trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="</s>")
    fast.chat_template = template or None
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    sizes = {
        "vocab_size": len(fast), "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2,
        "num_attention_heads": 2, "max_position_embeddings": 1024, "eos_token_id": fast.eos_token_id,
    }  # fmt: skip
    if window:
        kinds = ["sliding_attention", "full_attention"]
        gemma = Gemma3TextConfig(
            **sizes, num_key_value_heads=1, head_dim=16, sliding_window=window, layer_types=kinds
        )
        Gemma3ForCausalLM(gemma).save_pretrained(folder)
    else:
        LlamaForCausalLM(LlamaConfig(**sizes)).save_pretrained(folder)
    return folder
