"""Which programs may run at which level: the one rule, and the line that says it was applied.

    admit_source("named", "a.py")            -> "a.py: runs at sandbox level full; you named the file"
    admit_source("untrusted", "model")       SandboxUnavailable at level "limits"

Level "limits" keeps a program neither from your files nor from the network, so only programs that somebody
answers for run there: deskcheck itself, a known hash, or the person who named the file.
"""

from __future__ import annotations

from deskcheck.errors import SandboxUnavailable
from deskcheck.sandbox.levels import find_level

TRUST = {
    "ours": "its programs are made by or shipped with deskcheck",
    "pinned": "its programs are known by sha256",
    "named": "you named the file",
    "untrusted": "nobody answers for its programs",
}


def admit_source(trust: str, source: str, *, i_trust_this_code: bool = False) -> str:
    """The line to print. SandboxUnavailable for an untrusted source at level "limits" without the switch."""
    words = TRUST[trust]
    found = find_level()
    if trust != "untrusted" or found.level != "limits":
        return f"{source}: runs at sandbox level {found.level}; {words}"
    if i_trust_this_code:
        return f"{source}: runs at sandbox level limits, uncontained, because you said --i-trust-this-code"
    raise SandboxUnavailable(
        f"{source}: {words}, and at sandbox level 'limits' they could read and change your files "
        f"(no stronger level here: {found.missing['seccomp']}); run inside a container or VM that "
        "allows Landlock or seccomp (docs/sandbox.md), or say --i-trust-this-code"
    )
