"""Engines, which run a model on this machine: each file has `engine(...)`, which returns an engine.

    load_engine("scripted", {"answers": ["[ANSWER]1[/ANSWER]"]}) -> Engine

A file may also define `STRATEGY`, the strategy that suits it if it is no chat model,
and `STRONGER`, a slower one with which its own model is right more often. One Inspect provider
(`evaluation/provider.py`) serves all engines as `deskcheck/<name>`; every other model comes from Inspect.
"""

from __future__ import annotations

from deskcheck.inference.engine import PROVIDER as PROVIDER
from deskcheck.inference.engine import Engine as Engine
from deskcheck.inference.engine import Question as Question
from deskcheck.inference.engine import Stream as Stream
from deskcheck.inference.engine import load_engine as load_engine
from deskcheck.inference.engine import stronger_strategy as stronger_strategy
from deskcheck.inference.engine import suited_strategy as suited_strategy
