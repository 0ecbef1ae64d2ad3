"""Write the folder in which the shipped network executes what a reader types, and serve it.

    write_site("demo") -> [("pyodide", 13_600_000), ..]     parts of the folder and their sizes in bytes
    serve("demo")                                           on the loopback address, until it is interrupted

The same version of deskcheck writes the same bytes. Any static host can publish the folder, under any path.
"""

from __future__ import annotations

import hashlib
import html
import io
import json
import re
import zipfile
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path

from deskcheck import __version__
from deskcheck.browser import parts
from deskcheck.browser.examples import examples
from deskcheck.cell_files import write_whole
from deskcheck.errors import DataError, UserError
from deskcheck.inference.engine import read_card
from deskcheck.models import tiny
from deskcheck.viewer.document import PLACE, frame_page, policy_hashes

# Files of `page/` that are copied as they are.
SCRIPTS = ("site.js", "site.css", "python.js", "network.js", "generate.js", "forward.js", "kernel.js")
UNUSED = ("benchmarks", "corpus", "training", "dataset", "report", "cli", "rewards", "solutions", "importers")
"""Folders of the package that no run in a browser needs."""
MARK = "deskcheck.zip"
"""File that every such site has: `write_site` replaces only a folder with this file."""
# Title of a license's text -> file in `licenses/`.
_TEXTS = {
    "CPython 3.14": "PSF-2.0.txt",
    "pyodide": "MPL-2.0.txt",
    "libraries inside pyodide": "inside-pyodide.txt",
}
# Ending of a file's name -> media type with which the server sends it.
TYPES = {".mjs": "text/javascript", ".wasm": "application/wasm", ".whl": "application/octet-stream"}
Files = dict[str, bytes]


def write_site(folder: str) -> list[tuple[str, int]]:
    """Write the folder; return its parts and their sizes in bytes. UserError if it holds something else."""
    place = Path(folder)
    if place.is_file() or (place.is_dir() and any(place.iterdir()) and not (place / MARK).is_file()):
        raise UserError(
            f"--site {folder}: it holds something else; name a new folder, or one written so before"
        )
    groups = _groups()
    whole = {name: data for group in groups.values() for name, data in group.items()}
    for name, data in whole.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(place / name, data)
    return [(name, sum(map(len, group.values()))) for name, group in groups.items()]


def _groups() -> dict[str, Files]:
    """Return all files by part."""
    pinned = parts.pinned()
    groups = {part.name: parts.files_of(part) for part in pinned.values()}
    groups["network"] = {"model.onnx": (tiny.SHIPPED / "model.onnx").read_bytes(), "model.json": _model()}
    groups["deskcheck"] = {"deskcheck.zip": _package()}
    page = {name: _asset(name).encode() for name in SCRIPTS}
    page["viewer.html"] = frame_page().replace(PLACE, "{{ place }}").encode()
    page["examples.json"] = json.dumps(examples(), ensure_ascii=False, indent=1).encode()
    page["LICENSES.txt"] = _licenses(list(pinned.values()), groups).encode()
    page["index.html"] = _index().encode()
    groups["page"] = page
    page["service_worker.js"] = _service_worker({n: d for group in groups.values() for n, d in group.items()})
    return groups


def _asset(name: str) -> str:
    return (files("deskcheck.browser") / "page" / name).read_text(encoding="utf-8")


def _index() -> str:
    scripts, style = policy_hashes()
    values = {
        "scripts": " ".join(f"'sha256-{one}'" for one in scripts),
        "viewer_style": f"'sha256-{style}'",
        "honest": honest(),
        "version": html.escape(__version__),
    }
    return _filled(_asset("index.html"), values)


def _filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\{\{ (\w+) \}\}", lambda found: values[found.group(1)], text)


def _service_worker(whole: Files) -> bytes:
    digest = hashlib.sha256()
    for name in sorted(whole):
        digest.update(f"{name} {len(whole[name])}\n".encode() + whole[name])
    names = ["./", *sorted(whole)]
    values = {"digest": digest.hexdigest()[:16], "files": json.dumps(names)}
    return _filled(_asset("service_worker.js"), values).encode()


def _package() -> bytes:
    """Return the files of deskcheck in plain Python as an archive; the same files give the same bytes."""
    root = Path(str(files("deskcheck")))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(root.rglob("*.py")):
            inside = path.relative_to(root)
            if inside.parts[0] not in UNUSED:
                info = zipfile.ZipInfo(f"deskcheck/{inside.as_posix()}")
                archive.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


def _model() -> bytes:
    described = {
        "entry": "deskcheck.browser.run",
        "name": tiny.__name__.rpartition(".")[2],
        "layouts": read_card(tiny.SHIPPED).layouts,
        "lengths": scores_by_length((tiny.SHIPPED / "README.md").read_text(encoding="utf-8")),
        "tokenizer": (tiny.SHIPPED / "tokenizer.json").read_text(encoding="utf-8"),
        "config": (tiny.SHIPPED / "config.json").read_text(encoding="utf-8"),
    }
    return json.dumps(described).encode()


# ------------------------------------------------------------------ what is said about the network


def honest() -> str:
    """Return what the network is, what it was trained on and its scores, as HTML, from its card."""
    card = (tiny.SHIPPED / "README.md").read_text(encoding="utf-8")
    n_parameters = re.search(r"^([\d,]+) parameters", card, re.MULTILINE)
    if n_parameters is None:
        raise DataError("the card of the shipped model does not begin with its number of parameters")
    strategy = read_card(tiny.SHIPPED).layouts[0]
    size = (tiny.SHIPPED / "model.onnx").stat().st_size / 1e6
    scores = "".join(
        f"<li>{html.escape(what)}: {html.escape(score)} right of {html.escape(n)}</li>"
        for what, n, score in scores_of(card, strategy)
    )
    return (
        f"<p><strong>The network</strong> has {n_parameters.group(1)} parameters ({size:.0f} MB). "
        "After each line it writes what changed, from the program and its own last state alone, and nothing "
        "corrects it. The truth beside it comes from a tracer, which runs the program.</p>"
        "<p>It was trained on generated programs and on functions in the style of what people write. It is "
        "often wrong on programs unlike those, and on long runs. Right from the call to the result, on "
        "programs that its training did not have:</p>"
        f"<ul>{scores}</ul>"
    )


def scores_of(card: str, strategy: str) -> list[tuple[str, str, str]]:
    """Return (what was asked, number of programs, score) for each row of the card's first table.

    Only rows that name the strategy count. DataError if the card has no such table.
    """
    table = [
        [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
        for line in card.partition("## Scores")[2].partition("\n\n")[2].partition("\n\n")[0].splitlines()
        if line.startswith("|")
    ]
    head, rows = (table[0], table[2:]) if table else ([], [])
    if head[:2] != ["what", "n"]:
        raise DataError("the card of the shipped model has no table of scores by 'what' and 'n'")
    rows = [row for row in rows if re.search(rf"\b{re.escape(strategy)}\b", row[0])]
    return [
        (row[0], row[1].split(" (")[0], row[-1].split(",")[0] if "%" not in row[-1] else row[-1])
        for row in rows
    ]


def scores_by_length(card: str) -> list[tuple[int, int, str]]:
    """Return (fewest steps, most steps, score) for each row of the card's table by length of the run.

    DataError if the card has no such table.
    """
    section = card.partition("### By length")[2].partition("\n#")[0]
    rows = re.findall(r"^\| ([\d,]+)–([\d,]+) \| (.+?) \|$", section, re.MULTILINE)
    if not rows:
        raise DataError("the card of the shipped model has no table of scores by length")
    return [(int(low.replace(",", "")), int(high.replace(",", "")), score) for low, high, score in rows]


# ------------------------------------------------------------------ licenses


def _licenses(pinned: list[parts.Part], groups: dict[str, Files]) -> str:
    """Return the licenses of everything in the folder."""
    texts = files("deskcheck.browser") / "licenses"
    sections = ["Everything in this folder, with its license. The texts follow.\n"]
    sections.append(
        f"deskcheck {__version__}: Apache-2.0. Its page, its package and the weights of the network."
    )
    for part in pinned:
        sections.append(
            f"{part.name} {part.version}: {part.license}. From {part.file}, SHA-256 {part.sha256}."
        )
        sections[-1] += "\n  " + ", ".join(sorted(groups[part.name]))
    with zipfile.ZipFile(io.BytesIO(groups["msgspec"]["msgspec.whl"])) as wheel:
        name = next(name for name in wheel.namelist() if name.endswith("LICENSE"))
        bsd = wheel.read(name).decode()
    whole = [("msgspec", bsd)]
    whole += [(one, (texts / file).read_text(encoding="utf-8")) for one, file in _TEXTS.items()]
    whole.append(("deskcheck", (texts / "Apache-2.0.txt").read_text(encoding="utf-8")))
    return "\n".join(sections) + "".join(
        f"\n\n{'=' * 78}\n{name}\n{'=' * 78}\n\n{text}" for name, text in whole
    )


# ------------------------------------------------------------------ serving it


def server_of(folder: str) -> ThreadingHTTPServer:
    """Return a server of the folder on a free port of the loopback address."""

    class Quiet(SimpleHTTPRequestHandler):
        extensions_map = SimpleHTTPRequestHandler.extensions_map | TYPES

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing for a request."""

        def handle(self) -> None:
            """Answer requests until the browser, which may leave at any time, has left."""
            with suppress(ConnectionError):
                super().handle()

    return ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))


def serve(folder: str) -> None:
    """Serve the folder on the loopback address until it is interrupted."""
    with server_of(folder) as server:
        print(f"http://127.0.0.1:{server.server_address[1]}/   (Ctrl-C ends it)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
