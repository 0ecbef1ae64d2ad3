"""The parsers that ship: their origin, their hashes, and the command that renews them.

    python measurements/javascript_parsers.py         takes the pinned versions from npm, writes vendor/
    python measurements/javascript_parsers.py --new   the same, and pins what it finds
    check() -> ["acorn.js differs from its pin"]               [] = everything is as pinned

`vendor/pins.json` names each package of npm, its version, the sha256 of its archive and of what ships.
TypeScript is parsed by a plug-in of acorn; types are replaced by spaces, so that lines and columns stay.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

VENDOR = Path(__file__).parents[1] / "src" / "deskcheck" / "languages" / "javascript" / "vendor"


def pins() -> list[dict[str, Any]]:
    """Return the pinned packages of npm, in the order in which they load."""
    return list(json.loads((VENDOR / "pins.json").read_text(encoding="utf-8")))


def check() -> list[str]:
    """Return what differs from the pins; an empty list if nothing does."""
    wrong = []
    for pin in pins():
        for name in ("file", "license_file"):
            path = VENDOR / pin[name]
            if not path.is_file() or _sha256(path.read_bytes()) != pin[f"{name}_sha256"]:
                wrong.append(f"{pin[name]} differs from its pin ({pin['package']} {pin['version']})")
    return wrong


def renew(*, is_new: bool) -> None:
    """Write the pinned versions to vendor/. `is_new`: accept archives with other hashes and pin those."""
    found = []
    for pin in pins():
        with tempfile.TemporaryDirectory() as folder:
            words = ["npm", "pack", "--silent", f"{pin['package']}@{pin['version']}"]
            name = subprocess.run(
                words, cwd=folder, check=True, capture_output=True, text=True
            ).stdout.strip()
            archive = Path(folder, name.splitlines()[-1])
            digest = _sha256(archive.read_bytes())
            if digest != pin["archive_sha256"] and not is_new:
                raise SystemExit(
                    f"{pin['package']} {pin['version']}: sha256 {digest}, pinned {pin['archive_sha256']}"
                )
            with tarfile.open(archive) as tar:
                text = _member(tar, pin["member"]).decode()
                license_text = _member(tar, pin["license_member"])
        for old, new in pin["replacements"]:
            if text.count(old) != 1:
                raise SystemExit(
                    f"{pin['package']}: {old!r} stands {text.count(old)} times in it; adapt pins.json"
                )
            text = text.replace(old, new)
        (VENDOR / pin["file"]).write_text(text, encoding="utf-8", newline="")
        (VENDOR / pin["license_file"]).write_bytes(license_text)
        found.append(
            pin | {
                "archive_sha256": digest,
                "file_sha256": _sha256(text.encode()),
                "license_file_sha256": _sha256(license_text),
            }
        )  # fmt: skip
    (VENDOR / "pins.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _member(tar: tarfile.TarFile, name: str) -> bytes:
    file = tar.extractfile(f"package/{name}")
    assert file is not None, name
    return file.read()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    renew(is_new="--new" in sys.argv[1:])
