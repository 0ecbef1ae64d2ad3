"""Builds the documentation site into build/site/html: the pages of docs/, README, examples and notebooks.

    python docs/make_site.py            build it; a broken link or anchor ends with 1
    python docs/make_site.py --pages    put the pages together and stop

Pages keep their places, so that a link works in the repository and on the site. A link to a file of the
repository that is no page becomes its name; notebooks are written out as Markdown.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
DOCS, BUILT = ROOT / "docs", ROOT / "build/site"
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
MOVED = {
    "README.md": "index.md",
    "docs/README.md": "documents.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "examples/README.md": "examples.md",
    "measurements/README.md": "measurements.md",
    "src/deskcheck/models/tiny_model/README.md": "tiny.md",
}
"""Pages that have another place on the site: those outside of docs/, and docs/README.md."""


def sources() -> dict[str, Path]:
    """Place on the site -> file of the repository, for every page and picture."""
    found = {name: ROOT / path for path, name in MOVED.items() if (ROOT / path).exists()}
    for path in sorted(DOCS.rglob("*")):
        name = path.relative_to(DOCS).as_posix()
        if path.relative_to(ROOT).as_posix() in MOVED:
            continue
        if path.suffix in (".md", ".svg", ".png"):
            found[name] = path
        elif path.suffix == ".ipynb":
            found[name.removesuffix(".ipynb") + ".md"] = path
    return found


def page_of(place: str, path: Path, places: dict[Path, str]) -> str:
    """The text of a page with its links as they are on the site."""
    text = notebook_page(path) if path.suffix == ".ipynb" else path.read_text(encoding="utf-8")
    outside_blocks = re.split(r"(^(?:```+|````+)[^\n]*\n.*?^```+$)", text, flags=re.M | re.S)
    for at in range(0, len(outside_blocks), 2):
        outside_blocks[at] = LINK.sub(lambda m: link_of(m, place, path, places), outside_blocks[at])
    return "".join(outside_blocks)


def link_of(match: re.Match[str], place: str, path: Path, places: dict[Path, str]) -> str:
    """One link as it is on the site."""
    mark, label, target = match.groups()
    name, hash_, heading = target.partition("#")
    if "://" in target or not name:
        return match[0]
    file = (path.parent / name).resolve()
    if file.is_dir() and (file / "README.md").resolve() in places:
        file = file / "README.md"
    if not file.exists():
        return match[0]  # mkdocs says that it is broken
    if file not in places:
        return label if not mark else ""  # a file or folder of the repository that is no page
    relative = posixpath.relpath(places[file], posixpath.dirname(place) or ".")
    return f"{mark}[{label}]({relative}{hash_}{heading})"


def notebook_page(path: Path) -> str:
    """A notebook as Markdown: its text, its code, and what its cells printed."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"]).rstrip()
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        if shown := "".join(map(output_text, cell.get("outputs", []))).rstrip():
            parts.append(f"```text\n{shown}\n```")
    return "\n\n".join(parts) + "\n"


def output_text(output: dict[str, Any]) -> str:
    """What a cell printed, or the text of its value."""
    text = output.get("text") or output.get("data", {}).get("text/plain", "")
    joined = "".join(text)
    return joined if joined.endswith("\n") or not joined else joined + "\n"


def stage() -> None:
    """Put the pages and the configuration together."""
    shutil.rmtree(BUILT, ignore_errors=True)
    found = sources()
    places = {path.resolve(): name for name, path in found.items()}
    for name, path in found.items():
        target = BUILT / "pages" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in (".md", ".ipynb"):
            target.write_text(page_of(name, path, places), encoding="utf-8")
        else:
            shutil.copyfile(path, target)
    shutil.copyfile(DOCS / "site/mkdocs.yml", BUILT / "mkdocs.yml")


def main(arguments: list[str]) -> int:
    """Build the site, or put its pages together only."""
    stage()
    if "--pages" in arguments:
        return 0
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(BUILT / "mkdocs.yml")],
        check=False,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
