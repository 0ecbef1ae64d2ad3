"""A planted server that also holds the conversations and writes the layouts which the presets ask for.

    with PresetServer(tasks, WAYS, skill=Skill(half=8)) as server:   every cell of a preset finds its answers

A task that was drawn wrong gets a wrong answer at the end of its conversation; a layout gets a run that
returns something else at the first question. `unknown` counts requests that no way of asking could have sent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.evaluation.planted_server import Ask, PlantedServer, Skill, Way, key_of
from tests.strategies.programs import gold, trained

from deskcheck.evaluation.plan import load_strategy
from deskcheck.records import Message, Prompt, Task
from deskcheck.strategies import settings_of
from deskcheck.turns.settings import make_settings

WRONG = "'something else'"
AGAIN = re.compile(r"An earlier pass ended with .*\n\n")
"""What a second pass puts before the program, which names the first one's answer."""


def called(text: str) -> str:
    """The call that an opening names; "" where it names none."""
    found = re.search(r"(?:the call is\n|Call: )(.*)\n", text)
    return found[1] if found else ""


class PresetServer(PlantedServer):
    """Goes through programs without a mistake and then says what was drawn."""

    def __init__(
        self, tasks: Sequence[Task], ways: Sequence[Way], skill: Skill | Mapping[str, Skill]
    ) -> None:
        super().__init__({}, skill=skill)
        self.openings: dict[str, tuple[Ask, Callable[[Prompt], str]]] = {}
        """First message of a conversation, or the whole first question of a layout -> who it is about."""
        self.layouts: dict[str, list[Callable[[Prompt], str]]] = {}
        """First message of a layout -> models of the tasks that share the program."""
        self.unknown: list[str] = []
        for way in ways:
            name, values = (way, {}) if isinstance(way, str) else way
            strategy = load_strategy(name)
            settings = settings_of(name, strategy, make_settings(values))
            for task in tasks:
                texts = [message.text for message in strategy.opening(task, settings).messages]
                ask = Ask(task, name, str(values.get("statement_language", "en")))
                if strategy.TRAINED:
                    speak = trained(name, task)
                    self.layouts.setdefault(texts[0], []).append(speak)
                    self.openings[key_of(texts)] = ask, speak
                else:
                    known, _ = self.openings.setdefault(texts[0], (ask, gold(name, strategy, task, settings)))
                    assert known == ask, f"two tasks begin alike: {texts[0]}"

    def said(self, model: str, messages: Sequence[dict[str, str]]) -> str:
        """The reply to a request."""
        texts = [message["content"] for message in messages]
        texts[0] = AGAIN.sub("", texts[0])
        prompt = Prompt([Message(one["role"], one["content"]) for one in messages], 0)  # type: ignore[arg-type]
        if (found := self.openings.get(key_of(texts))) and texts[0] in self.layouts:
            ask, speak = found
            return speak(prompt) if self.is_right(model, ask) else f"<- {WRONG}"
        for speak in self.layouts.get(texts[0], ()):
            try:
                return speak(prompt)
            except KeyError:
                continue
        if texts[0] not in self.openings:  # each turn of history=state opens anew, with the same instructions
            alike = (
                one for one in self.openings if one[:60] == texts[0][:60] and called(one) == called(texts[0])
            )
            texts[0] = next(alike, texts[0])
        if texts[0] not in self.openings:
            self.unknown.append(texts[0])
            return "?"
        ask, speak = self.openings[texts[0]]
        text = speak(prompt)
        return text if self.is_right(model, ask) else text.replace(f"]{ask.task.expected}[", f"]{WRONG}[")

    def text_of(self, request: dict[str, Any]) -> str:
        return self.said(request["model"], request["messages"])
