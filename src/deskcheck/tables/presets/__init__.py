"""Study files that ship: `deskcheck study NAME`. To change one, copy it: `deskcheck study NAME --print`.

names() -> ["code-executors", ..]      text_of("code-executors") -> its TOML
"""

from __future__ import annotations

from importlib.resources import files


def names() -> list[str]:
    """Every preset, in the order of the alphabet."""
    return sorted(
        file.name.removesuffix(".toml") for file in files(__name__).iterdir() if file.name.endswith(".toml")
    )


def text_of(name: str) -> str:
    """The study file of a preset. FileNotFoundError for a name that is none."""
    return (files(__name__) / f"{name}.toml").read_text(encoding="utf-8")
