"""Provide deskcheck's containment as a sandbox of Inspect (the framework inspect_ai), without Docker.

    inspect eval inspect_evals/humaneval --sandbox deskcheck --model openai/gpt-4o
    deskcheck downstream BEFORE AFTER --tasks humaneval,mbpp --sandbox deskcheck

It is for scorers that run `python -c CODE`. Each call is a separate process under the kernel's rules
(docs/sandbox.md), with this interpreter and its installed packages, but without files. A task that writes
files or runs other commands gets an error and needs another sandbox. The tasks above run the model's code and
the tests as one script, in the same process.
"""

from __future__ import annotations

import os
import threading
from functools import partial
from typing import Any, NoReturn

import anyio
from inspect_ai.util import ExecResult, SandboxEnvironment

from deskcheck.sandbox.script import Ran, run_script

INTERPRETERS = ("python", "python3")
TIME_S = 60.0
"""Time limit of a call without `timeout`, in seconds."""
NO_SUCH_COMMAND = 127
"""Exit status of any other command, as a shell gives it for a command that it does not find."""
_AT_ONCE = threading.BoundedSemaphore(os.cpu_count() or 1)
"""At most one script for each core, because a script's time also passes while it waits for a core."""


class Contained(SandboxEnvironment):  # type: ignore[misc]  # mypy skips Inspect
    """Sandbox environment that runs only `python -c CODE`."""

    async def exec(
        self,
        cmd: list[str],
        input: str | bytes | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        user: str | None = None,
        timeout: int | None = None,
        timeout_retry: bool = True,
        concurrency: bool = True,
    ) -> Any:
        """Run a script and return its result. TimeoutError after the time limit.

        SandboxUnavailable as in `sandbox.script`.
        """
        if not (len(cmd) == 3 and cmd[0] in INTERPRETERS and cmd[1] == "-c") or input is not None:
            said = f"sandbox deskcheck runs python -c CODE, without input, and nothing else, not {cmd[:2]}"
            return ExecResult(False, NO_SUCH_COMMAND, "", said)
        done = await anyio.to_thread.run_sync(partial(_run, cmd[2], float(timeout or TIME_S)))
        if done.is_late:
            raise TimeoutError(f"not over after {timeout or TIME_S} s")
        return ExecResult(not done.why, 1 if done.why else 0, done.output, done.why)

    async def write_file(self, file: str, contents: str | bytes) -> NoReturn:
        """Raise PermissionError, because the sandbox has no files."""
        raise PermissionError(f"sandbox deskcheck has no files; '{file}' was to be written")

    async def read_file(self, file: str, text: bool = True) -> NoReturn:
        """Raise FileNotFoundError, because the sandbox has no files."""
        raise FileNotFoundError(f"sandbox deskcheck has no files; '{file}' was to be read")

    @classmethod
    async def sample_init(cls, *_: Any, **__: Any) -> dict[str, SandboxEnvironment]:
        """Return one environment for each sample; nothing is kept between calls."""
        return {"default": cls()}

    @classmethod
    async def sample_cleanup(cls, *_: Any, **__: Any) -> None:
        """Do nothing, because a run leaves nothing behind."""


def _run(source: str, time_s: float) -> Ran:
    with _AT_ONCE:
        return run_script(source, time_s=time_s)
