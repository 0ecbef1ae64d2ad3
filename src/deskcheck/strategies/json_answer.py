"""json-answer: vanilla with the answer in a JSON object, whose schema providers enforce if they can.

    Task -> one Prompt with a JSON Schema -> {"answer": "[1, 2]"} -> the value

The answer is a text that holds a literal, since JSON has no tuples, sets or bytes. Each request has the
schema as `response_schema` of Inspect; a provider without this option gets only the prompt. An answer that is
lost in vanilla because of its form, but not here, is no failure of execution.
"""

from __future__ import annotations

import json

import msgspec

from deskcheck.grading.extraction import without_thinking
from deskcheck.grading.verdict import answer_of
from deskcheck.records import Answer, Completion, NoAnswer, Prompt, Rollout, Task
from deskcheck.strategies import ANY, Ask, Settings
from deskcheck.turns.question import prompt_of

EXPERIMENTAL = True
HOW = {
    "en": 'Reply with one JSON object {{"answer": "..."}} and nothing else. The text in it is {form}.',
    "zh": '请只回答一个 JSON 对象 {{"answer": "..."}}，其中的文本是{form}。',
}
SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
    "additionalProperties": False,
}
MAX_TOKENS = 1024
FITS = ANY
SETTINGS = frozenset({"statement_language"})
STATEMENT_LANGUAGES = ("en", "zh")
TRAINED = False
AT_ONCE = True


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the only prompt of the rollout."""
    prompt = prompt_of(task, HOW, settings, max_tokens=MAX_TOKENS)
    return msgspec.structs.replace(prompt, schema=json.dumps(SCHEMA))


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask one question and read its answer."""
    completion = await ask(opening(task, settings))
    return Rollout(read(task, completion), [completion])


def read(task: Task, completion: Completion) -> Answer | NoAnswer:
    """Return the answer in the object; a reply that is no such object is read like any other."""
    text = (without_thinking(completion.text) or "").strip()
    text = text.removeprefix("```json").removeprefix("```").removesuffix("```")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return answer_of(task, completion)
    said = found.get("answer") if isinstance(found, dict) else None
    if said is None:
        return answer_of(task, completion)
    tagged = f"[ANSWER]{said if isinstance(said, str) else json.dumps(said)}[/ANSWER]"
    return answer_of(task, Completion(tagged, completion.finish_reason))
