"""Hold the garbage collector back while a program runs traced, unseen by the program.

    held = pause_collector()      gc.isenabled() answers in the program what it answered before
    resume_collector(held)        as it was, or as the program has set it by gc.enable() and gc.disable()

The tracer's own objects would otherwise decide when the program's are collected. A pause inside another
changes nothing. Without the C extension the program sees that the collector is off.
"""

from __future__ import annotations

import gc

from deskcheck.tracing import access

_is_enabled, _enable, _disable = gc.isenabled, gc.enable, gc.disable  # bound: a program may replace them


def pause_collector(*, shown: bool | None = None) -> bool:
    """Nothing is collected by itself from here on. What it returns is for `resume_collector`.

    `shown`: what the program sees at first, in the sandbox, which has the collector off for its own reasons.
    """
    enabled = _is_enabled()
    if access._native is None:
        _disable()
        return enabled
    return not access._native.pause_collection(enabled if shown is None else shown)


def resume_collector(held: bool) -> None:
    """Collect again, if this was done before and the program has not forbidden it."""
    if held and access._native is None:
        _enable()
    elif held:
        access._native.resume_collection()
