"""Hold a conversation with a chat model that goes through a program, with a history and second tries.

    dialogue = Dialogue(ask, INTRODUCTION, settings, max_tokens=1024)
    reply = await dialogue.step("3: s += x", read)      read(text) -> its content; ValueError if unreadable

The setting `history` decides which part of the conversation a prompt holds: all of it, the last K exchanges,
or only the last state. `on_error` decides whether an unreadable reply ends the conversation or is asked for
again, up to REASKS times. With on_error=check, the model also reviews every state once before the state
counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from deskcheck.grading.verdict import extract_answer
from deskcheck.records import Answer, Completion, Message, NoAnswer, Prompt
from deskcheck.turns.bindings import read_bindings
from deskcheck.turns.settings import Ask, Settings

SAY_AGAIN = {
    "en": "That could not be read: {why}. Answer once more, in exactly the form that was asked for.",
    "zh": "无法读取你的回答：{why}。请严格按照要求的格式重新回答。",
}
CHECK = {
    "en": "Check this against the line and the state before it, correct what is wrong, and answer once more "
    "in the same form.",
    "zh": "请对照该行代码以及之前的状态检查上面的回答，改正其中的错误，并以同样的格式重新回答。",
}
SO_FAR = {"en": "The state so far: {state}", "zh": "到目前为止的状态：{state}"}
ENDS_WITH_ANSWER = re.compile(r"\[/?answer\]", re.IGNORECASE)
_STATE = re.compile(
    r"^[ \t>*`#-]*(?:STATE|状态)[*`]*\s*[:：](.*(?:\n(?![ \t>*`#-]*NEXT).*)*)", re.IGNORECASE | re.MULTILINE
)
REASKS = 2
"""Times that an unreadable reply is asked for again."""
_T = TypeVar("_T")


class Unreadable(Exception):
    """Raised if no reply to a step could be used, with the reason for no answer."""

    def __init__(self, reason: NoAnswer) -> None:
        super().__init__(reason.detail)
        self.reason = reason


class Dialogue:
    """A conversation that stores its exchanges and shows as many as `history` allows."""

    def __init__(self, ask: Ask, introduction: str, settings: Settings, *, max_tokens: int) -> None:
        self.ask = ask
        self.introduction = introduction
        self.settings = settings
        self.max_tokens = max_tokens
        self.exchanges: list[tuple[str, str]] = []
        self.completions: list[Completion] = []
        self.state = ""
        """State that prompts show with history=state; the strategy sets it."""

    def prompt(self, text: str) -> Prompt:
        """Return the prompt whose last message is `text`."""
        history = self.settings.history
        shown = self.exchanges
        if history == "state":
            shown = []
            if self.state:
                text = f"{SO_FAR[self.settings.statement_language].format(state=self.state)}\n\n{text}"
        elif history != "full":
            shown = self.exchanges[-int(history.removeprefix("last-")) :]
        said = [text for text, _ in shown] + [text]
        said[0] = f"{self.introduction}\n\n{said[0]}"
        turns = [Message("user", said[0])]
        for (_, reply), following in zip(shown, said[1:], strict=True):
            turns += [Message("assistant", reply), Message("user", following)]
        return Prompt(turns, max_tokens=self.max_tokens)

    def tell(self, text: str, reply: str, state: str) -> None:
        """Add to the conversation an exchange that did not take place, for an injected state."""
        self.exchanges.append((text, reply))
        self.state = state

    async def step(self, text: str, read: Callable[[str], _T]) -> _T:
        """Ask `text` and return the content of the reply; Unreadable if no reply can be used."""
        found = await self._readable(text, read)
        if self.settings.on_error == "check":
            before = self.exchanges[-1][0]
            found = await self._readable(
                CHECK[self.settings.statement_language], read, context=self.exchanges[-1]
            )
            # Only the final reply stays in the conversation, not the review.
            self.exchanges[-2:] = [(before, self.exchanges[-1][1])]
        return found

    async def _readable(
        self, text: str, read: Callable[[str], _T], context: tuple[str, str] | None = None
    ) -> _T:
        """Ask `text` until a reply can be read. Unreadable after the last try.

        `context`: the exchange under review, which history=state would not show.
        """
        first = text
        if context is not None and self.settings.history == "state":
            text = f"{context[0]}\n\n{context[1]}\n\n{text}"
        for left in range(REASKS if self.settings.on_error != "stop" else 0, -1, -1):
            completion = await self.ask(self.prompt(text))
            self.completions.append(completion)
            place = f"turn {len(self.exchanges) + 1}"
            if completion.finish_reason == "content_filter":
                raise Unreadable(NoAnswer("refused", f"{place}: {completion.text[:100]}"))
            if completion.finish_reason == "length":
                raise Unreadable(
                    NoAnswer("truncated", f"{place} was cut after {completion.n_tokens_out} tokens")
                )
            try:
                result = read(completion.text)
            except ValueError as error:
                if not left:
                    raise Unreadable(NoAnswer("unparsable", f"{place}: {error}")) from None
                text = f"{first}\n\n{SAY_AGAIN[self.settings.statement_language].format(why=error)}"
                continue
            self.exchanges.append((first, completion.text))
            return result
        raise AssertionError("the last try returns or raises")


def state_in(text: str) -> str:
    """Return the last "STATE: n = 3; s = 0" of a reply, normalized if it can be parsed.

    ValueError if there is none.
    """
    found = _STATE.findall(text)
    if not found:
        raise ValueError("no line begins with STATE:")
    return read_bindings(found[-1])


def answer_in(text: str) -> Answer | NoAnswer | None:
    """Return the answer between tags; None if the reply has no tag."""
    return extract_answer(Completion(text, "stop")) if ENDS_WITH_ANSWER.search(text) else None
