"""What a last step says as an answer: the returned value as a plain literal, or which exception.

    outcome(read_step("<- #1[#2[0], #2]"))     -> Answer("[[0], [0]]")
    outcome(read_step("!!KeyError('k')"))      -> Answer("raises KeyError")

An answer is compared by value, so labels of shared objects are written out; a value that no literal can say
(an opaque object, a list inside itself) is no answer.
"""

from __future__ import annotations

from deskcheck.records import Answer, Completion, NoAnswer
from deskcheck.states.parse import read_step
from deskcheck.states.tree import Step, Value

_MAX_CHARACTERS = 1 << 20
NO_LITERAL = "no literal says the returned value: "
"""How the detail begins where the run has ended well, but its value cannot be an answer."""


def outcome(step: Step) -> Answer | NoAnswer:
    """The answer that a step "<-" or "!!" gives; any other step gives none."""
    if step.value is None or step.mark not in ("<-", "!!"):
        return NoAnswer("unparsable", f"the answer ends with '{step}', which neither returns nor raises")
    if step.mark == "!!":
        return Answer(f"raises {step.value.text}")
    try:
        return Answer(_literal(step.value, {}, [_MAX_CHARACTERS]))
    except ValueError as error:
        return NoAnswer("unparsable", f"{NO_LITERAL}{error}")


def read_outcome(completion: Completion) -> Answer | NoAnswer:
    """The answer in the last line of a completion; a cut completion has none."""
    if completion.finish_reason == "length":
        return NoAnswer("truncated", f"cut after {completion.n_tokens_out} tokens")
    try:
        return outcome(read_step(completion.text.rstrip("\n").rsplit("\n", 1)[-1]))
    except ValueError as error:
        return NoAnswer("unparsable", str(error))


def _literal(value: Value, labelled: dict[int, Value], room: list[int]) -> str:
    if value.kind == "label":
        if value.label not in labelled:
            raise ValueError(f"#{value.label} refers to nothing, or to what it is part of")
        value = labelled[value.label]
    if value.kind in ("opaque", "call") or (value.text and value.kind not in ("literal", "set")):
        raise ValueError(f"'{str(value)[:60]}' is no plain value")
    items = tuple(Value("literal", _literal(item, labelled, room)) for item in value.items)
    plain = Value(value.kind, value.text, 0, items)
    if value.label:
        labelled[value.label] = plain
    text = str(plain)
    room[0] -= len(text)
    if room[0] < 0:
        raise ValueError(f"written out, the value is longer than {_MAX_CHARACTERS} characters")
    return text
