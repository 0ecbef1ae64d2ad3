"""Give a chat template to a model that has none: it writes the messages' texts one after another.

The same template serves a base model before tuning (`--model hub`) and in training (`deskcheck train
--model`).
"""

from __future__ import annotations

from typing import Any

JOINED = (
    "{% for message in messages %}{{ message['content'] }}"
    "{% if message['role'] == 'assistant' %}{{ eos_token }}{% endif %}{% endfor %}"
)
BEGINNING = "{{ bos_token }}"
"""First part of the template, if the model's tokenizer begins every text with this token."""


def give_template(tokenizer: Any) -> None:
    """Set the template of a tokenizer without one; an existing template is kept."""
    if tokenizer.chat_template is not None:
        return
    first = tokenizer("x").input_ids[:1]
    begins = tokenizer.bos_token_id is not None and first == [tokenizer.bos_token_id]
    tokenizer.chat_template = (BEGINNING if begins else "") + JOINED
