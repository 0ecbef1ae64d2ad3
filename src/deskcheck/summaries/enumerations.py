"""Describe members of enumerations by name, "Colour.RED", and combined flags as "Mode.READ|WRITE"."""

from __future__ import annotations

from typing import Any

from deskcheck.summaries import Look, Summary, Unread


def member(value: Any, look: Look) -> str:
    """Write a member as the source does; a combination of flags without a name by its number."""
    kind = look.type_name(type(value))
    name = look.attribute(value, "_name_")
    if type(name) is str:
        return f"{kind}.{name}"
    number = look.attribute(value, "_value_")
    if type(number) is not int:
        raise Unread("_name_")
    return f"{kind}({number})"


SUMMARIES = {"enum.Enum": Summary(member, can_change=False, with_subclasses=True)}
