"""Which programs may run at which level: the one rule, and the line that says it was applied.

    admit_source("named", "a.py")            -> "sandbox: full (own root, ..); a.py: you named the file"
    admit_source("untrusted", "scraped")     SandboxUnavailable at level "limits"

Level "limits" keeps a program neither from your files nor from the network, so only programs that somebody
answers for run there: deskcheck itself, a known hash, or the person who named the file. `trust_this_code` is
what the switch --i-trust-this-code of a command does, for the rest of the process.
"""

from __future__ import annotations

from deskcheck.errors import SandboxUnavailable
from deskcheck.sandbox.levels import describe_level, find_level

TRUST = {
    "ours": "its programs are made by or shipped with deskcheck",
    "pinned": "its programs are known by sha256",
    "named": "you named it",
    "untrusted": "nobody answers for its programs",
}
_said: list[str] = []


def trust_this_code() -> None:
    """Let every source run at any level from here on."""
    _said.append("--i-trust-this-code")


def admit_source(trust: str, source: str, *, i_trust_this_code: bool = False) -> str:
    """The line to print. SandboxUnavailable for an untrusted source at level "limits" without the switch."""
    words = TRUST[trust]
    found = find_level()
    level = describe_level(found)
    if trust != "untrusted" or found.level != "limits":
        return f"{level}; {source}: {words}"
    if i_trust_this_code or _said:
        return f"{level}; {source}: {words}, and runs because you said --i-trust-this-code"
    raise SandboxUnavailable(
        f"{source}: {words}, and at containment level 'limits' they could read and change your files "
        f"(no stronger level here: {found.missing['seccomp']}); run inside a container or VM that "
        "allows Landlock or seccomp (docs/sandbox.md), or say --i-trust-this-code"
    )
