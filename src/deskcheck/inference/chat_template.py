"""The chat template of a model that has none: the texts one after another, as the layouts write them.

A base model is asked before tuning (`--model hub`) and trained (`deskcheck train --model`) with the same one.
"""

from __future__ import annotations

from typing import Any

JOINED = (
    "{% for message in messages %}{{ message['content'] }}"
    "{% if message['role'] == 'assistant' %}{{ eos_token }}{% endif %}{% endfor %}"
)
BEGINNING = "{{ bos_token }}"
"""Before it, where the model's tokenizer begins every text so."""


def give_template(tokenizer: Any) -> None:
    """Set the template of a tokenizer without one; one of its own stays."""
    if tokenizer.chat_template is not None:
        return
    first = tokenizer("x").input_ids[:1]
    begins = tokenizer.bos_token_id is not None and first == [tokenizer.bos_token_id]
    tokenizer.chat_template = (BEGINNING if begins else "") + JOINED
