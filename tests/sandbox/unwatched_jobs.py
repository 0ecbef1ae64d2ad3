"""The jobs of `reachable_jobs` in a zygote whose watch of the inside of objects is taken out."""

from __future__ import annotations

from typing import Any

from tests.sandbox.reachable_jobs import act as act

from deskcheck.sandbox import zygote

_zygote: Any = zygote
_zygote.watch_inside = lambda batch: None
