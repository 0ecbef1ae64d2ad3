"""Options that a command had once, each with what to type in its place.

    in_place_of("demo", "--no-open") -> "--out FILE writes the page and doesn't open it"

An unknown option is looked up here before it is refused, so nobody has to search for a spelling that went.
"""

from __future__ import annotations

FORMER: dict[str, dict[str, str]] = {
    "demo": {"--no-open": "--out FILE writes the page and doesn't open it"},
    "view": {
        "--granularity": "record first: deskcheck trace .. --out run.deskcheck, then view run.deskcheck",
        "--time-limit": "record first: deskcheck trace .. --out run.deskcheck, then view run.deskcheck",
        "--as": "the content of the file says what it is; --statements reads free text",
    },
    "diff": {"--format": "--out NAME.json writes the answer as JSON"},
    "trace": {"--exit-zero": "add || true in the shell", "-v": "deskcheck doctor tells about this machine"},
    "eval": {
        "--ids": "--filter id=A,B",
        "--i-trust-this-code": "--require i-trust-this-code",
        "--effort": "-G reasoning_effort=X",
        "--reasoning-tokens": "-G reasoning_tokens=N",
        "--timeout": "-G attempt_timeout=N",
        "--max-connections": "-G max_connections=N",
        "--report": "deskcheck report LOGS",
    },
    "study": {
        "--max-tokens": "max_tokens = N in the study file; for a preset: study NAME --print > mine.toml",
        "--report": "deskcheck report LOGS",
        "--picture": "deskcheck table LOGS --figures DIR",
    },
    "grade": {
        "--samples": "--generations FILE --task solution",
        "--guesses": "--generations FILE, without --benchmark",
        "--ids": "--filter id=A,B",
        "--i-trust-this-code": "--require i-trust-this-code",
        "--force": "remove the file first",
        "--report": "deskcheck report FILE.parquet",
    },
    "prompts": {
        "--ids": "--filter id=A,B",
        "--i-trust-this-code": "--require i-trust-this-code",
        "--force": "remove the file first",
    },
    "table": {"--force": "remove the file first"},
    "merge": {"--force": "remove the file first"},
    "report": {"--walks": "the page has a hundred tasks to walk through, wrong ones first"},
    "downstream": {"--epochs": "--tasks mbpp*1 asks for one answer to each sample of mbpp"},
    "push": {"--yes": "--to USER/NAME uploads; without it only the folder is written"},
    "build": {
        "--calls": "--call FILE.jsonl",
        "--i-trust-this-code": "--require i-trust-this-code",
    },
    "train": {
        "--row-length": "--set row_length=N",
        "--stop-minutes": "--set stop_minutes=N",
        "--evaluations": "--set evaluations=N",
        "--held-out": "--set held_out=N",
    },
}
"""Command -> former option -> what does the same today."""


def in_place_of(command: str, option: str) -> str:
    """Return what replaces an option that the command had once; "" if it never had it."""
    return FORMER.get(command, {}).get(option, "")
