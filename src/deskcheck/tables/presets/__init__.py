"""Find the study files that ship with deskcheck: `deskcheck study NAME` runs one, `--print` prints one.

names() -> ["code-executors", ..]      text_of("code-executors") -> its TOML
"""

from __future__ import annotations

from importlib.resources import files


def names() -> list[str]:
    """Return the names of all presets in alphabetical order."""
    return sorted(
        file.name.removesuffix(".toml") for file in files(__name__).iterdir() if file.name.endswith(".toml")
    )


def text_of(name: str) -> str:
    """Return the study file of a preset. FileNotFoundError for an unknown name."""
    return (files(__name__) / f"{name}.toml").read_text(encoding="utf-8")
