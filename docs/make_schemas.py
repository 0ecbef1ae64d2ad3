"""Writes the JSON schemas that the package ships, from the structs and the docstrings of their fields.

python docs/make_schemas.py            rewrite src/deskcheck/schemas/
python docs/make_schemas.py --check    exit 1 when a schema is not current
"""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path

import msgspec

from deskcheck import cell_files, result_rows
from deskcheck.records import trace

sys.path.insert(0, str(Path(__file__).parent))

from make_format import docs_of

FOLDER = Path(__file__).parents[1] / "src" / "deskcheck" / "schemas"
SCHEMAS: dict[str, tuple[type[msgspec.Struct], str]] = {
    "trace": (trace.Trace, "What `deskcheck trace --format json` prints: one run, column by column."),
    "results": (
        cell_files.ResultsFile,
        "What `deskcheck eval --json FILE` writes: all rows.",
    ),
    "sample": (
        cell_files.Sampled,
        "One line of `results.jsonl` in a log folder: an answer.",
    ),
    "row": (result_rows.Result, "One row of a results file in Parquet, with -1 in place of null."),
}
"""Name of the file -> the struct, and where documents of this form come from."""


def schema_of(name: str) -> str:
    """The text of one schema file."""
    struct, about = SCHEMAS[name]
    schema = msgspec.json.schema(struct)
    known: dict[str, str] = {}
    for module in (cell_files, result_rows, trace):
        known |= docs_of(inspect.getsource(module))
    bases = [base.__name__ for base in struct.__mro__]
    for kind, definition in schema["$defs"].items():
        if "description" in definition:  # without the example of a public class
            definition["description"] = inspect.cleandoc(definition["description"]).partition("\n\n>>> ")[0]
        for field, form in definition.get("properties", {}).items():
            texts = (known.get(f"{owner}.{field}", "") for owner in (bases if kind == bases[0] else [kind]))
            if text := next(filter(None, texts), ""):
                form["description"] = text
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name, "description": about}
    return json.dumps(head | schema, indent=2, ensure_ascii=False) + "\n"


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def main(words: list[str]) -> int:
    texts = {FOLDER / f"{name}.json": schema_of(name) for name in SCHEMAS}
    if "--check" in words:
        old = [
            path.name for path, text in texts.items() if not path.is_file() or path.read_text("utf-8") != text
        ]
        print("\n".join(f"{name} is not current: python docs/make_schemas.py" for name in old), end="")
        return 1 if old else 0
    FOLDER.mkdir(exist_ok=True)
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
