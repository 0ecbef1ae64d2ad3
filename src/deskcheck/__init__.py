"""deskcheck: record what programs do, teach models to execute them, measure how well they can.

    import deskcheck
    t = deskcheck.trace(f, 3)            # runs f(3) in this process, without the sandbox
    t.result, len(t), t.steps[4].locals["n"], t.at(4)
    deskcheck.load("run.parquet")
    deskcheck.grade("[1, 2]", expected=[1, 2])
    deskcheck.execute(f, 27); deskcheck.evaluate("tiny", "easy", limit=20); deskcheck.results("logs")
    deskcheck.build("generated", family="easy", n=1000, out="data/easy"); deskcheck.load_dataset("data/easy")

Each name is loaded on first use, so `import deskcheck` costs almost nothing.
"""

from __future__ import annotations

import importlib as _importlib
import sys as _sys
from typing import TYPE_CHECKING as _TYPE_CHECKING

if _TYPE_CHECKING:  # for type checkers and editors; at run time __getattr__ loads the names
    from deskcheck.api.ask import Ask as Ask
    from deskcheck.api.calls import Recording as Recording
    from deskcheck.api.calls import record as record
    from deskcheck.api.calls import trace as trace
    from deskcheck.api.datasets import Dataset as Dataset
    from deskcheck.api.datasets import build as build
    from deskcheck.api.datasets import load_dataset as load_dataset
    from deskcheck.api.evaluating import Evaluation as Evaluation
    from deskcheck.api.evaluating import evaluate as evaluate
    from deskcheck.api.evaluating import results as results
    from deskcheck.api.executing import Execution as Execution
    from deskcheck.api.executing import ModelStep as ModelStep
    from deskcheck.api.executing import execute as execute
    from deskcheck.api.files import load as load
    from deskcheck.api.files import read_traces as read_traces
    from deskcheck.api.files import trace_file as trace_file
    from deskcheck.api.grading import grade as grade
    from deskcheck.api.trace import Exit as Exit
    from deskcheck.api.trace import Frame as Frame
    from deskcheck.api.trace import State as State
    from deskcheck.api.trace import Step as Step
    from deskcheck.api.trace import Trace as Trace
    from deskcheck.errors import BadSource as BadSource
    from deskcheck.errors import CorruptShard as CorruptShard
    from deskcheck.errors import DataError as DataError
    from deskcheck.errors import DeskcheckError as DeskcheckError
    from deskcheck.errors import MissingExtra as MissingExtra
    from deskcheck.errors import NoResult as NoResult
    from deskcheck.errors import UnknownName as UnknownName
    from deskcheck.errors import UserError as UserError
    from deskcheck.records import Limits as Limits
    from deskcheck.records import Score as Score
    from deskcheck.rewards.environment import load_environment as load_environment
    from deskcheck.rewards.openenv import create_environment as create_environment
    from deskcheck.rewards.procedural import register_dataset as register_dataset
    from deskcheck.states.values import StandIn as StandIn

__version__ = "0.1.0"

_PUBLIC = {
    "trace": "deskcheck.api.calls",
    "record": "deskcheck.api.calls",
    "Recording": "deskcheck.api.calls",
    "load": "deskcheck.api.files",
    "read_traces": "deskcheck.api.files",
    "trace_file": "deskcheck.api.files",
    "execute": "deskcheck.api.executing",
    "Execution": "deskcheck.api.executing",
    "ModelStep": "deskcheck.api.executing",
    "evaluate": "deskcheck.api.evaluating",
    "Evaluation": "deskcheck.api.evaluating",
    "results": "deskcheck.api.evaluating",
    "build": "deskcheck.api.datasets",
    "Dataset": "deskcheck.api.datasets",
    "load_dataset": "deskcheck.api.datasets",
    "Trace": "deskcheck.api.trace",
    "Step": "deskcheck.api.trace",
    "State": "deskcheck.api.trace",
    "Frame": "deskcheck.api.trace",
    "Exit": "deskcheck.api.trace",
    "Ask": "deskcheck.api.ask",
    "StandIn": "deskcheck.states.values",
    "Limits": "deskcheck.records",
    "DeskcheckError": "deskcheck.errors",
    "UserError": "deskcheck.errors",
    "UnknownName": "deskcheck.errors",
    "MissingExtra": "deskcheck.errors",
    "BadSource": "deskcheck.errors",
    "NoResult": "deskcheck.errors",
    "DataError": "deskcheck.errors",
    "CorruptShard": "deskcheck.errors",
    "grade": "deskcheck.api.grading",
    "Score": "deskcheck.records",
    "load_environment": "deskcheck.rewards.environment",
    "create_environment": "deskcheck.rewards.openenv",
    "register_dataset": "deskcheck.rewards.procedural",
}
_HOOKS = {"load_ipython_extension": "deskcheck.api.cells"}
"""Functions that other programs look for by name: IPython this one, for `%load_ext deskcheck`."""
_PLUG_INS = dict.fromkeys(
    ("DeskcheckTaskset", "DeskcheckEnv", "DeskcheckHarness"), "deskcheck.rewards.taskset"
)
"""Classes that the library verifiers 0.4 looks for in `__all__`, which has them once verifiers is loaded."""


def _names() -> list[str]:
    has_tasksets = hasattr(_sys.modules.get("verifiers.v1"), "Interaction")
    return ["__version__", *_PUBLIC, *(_PLUG_INS if has_tasksets else ())]


def __getattr__(name: str) -> object:
    if name == "__all__":
        return _names()
    module = _PUBLIC.get(name) or _HOOKS.get(name) or _PLUG_INS.get(name)
    if module is not None:
        return getattr(_importlib.import_module(module), name)
    raise AttributeError(f"module 'deskcheck' has no attribute '{name}'; it has: {', '.join(_names())}")


def __dir__() -> list[str]:
    return sorted(_names())
