"""Writes the tables of docs/format.md from the docstrings of the records and the schema in arrow.py.

    python docs/make_format.py            rewrite the page
    python docs/make_format.py --check    exit 1 when the page is not current

The text around the tables is written by hand; a table stands between a `table: NAME` comment and an `end`.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from pathlib import Path

import pyarrow as pa

from deskcheck import records
from deskcheck.format import arrow, buffers, shards
from deskcheck.records import trace

PAGE = Path(__file__).with_name("format.md")
# What stands where nothing is known: by column, else by group.
_MARKS = {
    "events.kind": "never",
    "events.step": "never",
    "events.frame": "never",
    "events.changes_end": "never",
    "events.value": "-1 = the event has none",
    "codes.first_line": "-1",
    "frames.parent": "-1 = none",
    "changes.key": "-1 = `index` is used",
    "changes.index": "-1 = `key` is used",
    "changes.value": "-1 = DELETE",
    "program": "null = stored without its program",
    "outcome_line": "-1; null where the outcome has none",
    "program.licence": '"unknown"',
}
_LATER = ("thread", "end_line", "column", "end_column", "offset", "opcode")


def docs_of(source: str) -> dict[str, str]:
    """Docstring or trailing comment of every "Class.field", and docstring of every "Class", of a module."""
    lines, found = source.splitlines(), {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            prose, _, _ = (ast.get_docstring(node) or "").partition("\n\n>>> ")
            prose, _, attributes = prose.partition("\n\nAttributes:\n\n- ")
            found[node.name] = _flat(prose)
            listed = dict(one.split("`: ", 1) for one in attributes.removeprefix("`").split("\n- `") if one)
            for member, after in zip(node.body, [*node.body[1:], None], strict=True):
                name = _target(member)
                if name is None:
                    continue
                text = listed.get(name, "")
                text = text[:1].upper() + text[1:]
                if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                    text = str(after.value.value)
                elif "  # " in lines[member.lineno - 1]:
                    text = lines[member.lineno - 1].partition("  # ")[2]
                found[f"{node.name}.{name}"] = _flat(text)
    return found


def _target(node: ast.stmt) -> str | None:
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return None


def _flat(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def tables() -> dict[str, str]:
    """Name of a table -> its Markdown."""
    docs: dict[str, str] = {}
    for module in (trace, shards):
        docs |= docs_of(inspect.getsource(module))
    made = {"trace": _trace_table(docs)}
    made["manifest"] = _lines(
        ["field", "meaning"],
        [[f"`{f}`", docs[f"ManifestEntry.{f}"]] for f in shards.ManifestEntry.__struct_fields__],
    )
    for group, record in buffers.RECORD_OF.items():
        made[group] = _group_table(group, record.__name__, docs)
    made["codes"] = _group_table("codes", "Code", docs)
    for name in ("limits", "program"):
        made[name] = _struct_table(name, name.title(), docs)
    for name in ("fidelity", "determinism"):
        made[name] = _struct_table(name, name.title(), docs)
    made["outcomes"] = _outcome_table(docs)
    for enum in ("EventKind", "ValueKind", "ObjectKind", "Place", "Op"):
        rows = [[str(int(m)), m.name, docs.get(f"{enum}.{m.name}", "")] for m in getattr(records, enum)]
        made[enum] = _lines(["number", "name", "meaning"], rows)
    return made


def _trace_table(docs: dict[str, str]) -> str:
    rows = []
    for field in arrow.TRACE_SCHEMA:
        kind = _type(field.type)
        unknown = _MARKS.get(field.name, "null = the outcome has none" if field.nullable else "never")
        meaning = docs.get(f"Trace.{field.name}", "")
        if pa.types.is_struct(field.type):
            kind = "struct"
            meaning = meaning or docs.get(_record_name(field.name), "")
            meaning += f" ([below](#{field.name}))"
        rows.append([f"`{field.name}`", kind, meaning or _OWN.get(field.name, ""), unknown])
    return _lines(["column", "type", "meaning, unit", "unknown"], rows)


_OWN = {
    "n_steps": "Line events of the run: the last `events.step`, or 0. Derived; for queries.",
    "granularity": '"line", "expression" or "instruction".',
    "outcome": "Tag of the outcome; its fields stand in the next six columns (table [outcomes](#outcome)).",
    "outcome_value": "Handle of the returned value or of the exception object.",
    "outcome_type": "Qualified name of the exception.",
    "outcome_text": "Message, cause, rule, check, or limit that was exceeded.",
    "outcome_line": "Line of the program's file where it ended.",
    "outcome_limit": "The limit that was passed: steps or bytes.",
    "outcome_limit_s": "The limit that was passed: seconds.",
}


def _record_name(group: str) -> str:
    if group in buffers.RECORD_OF:
        return buffers.RECORD_OF[group].__name__
    return {"codes": "Code"}.get(group, group.title())


def _group_table(group: str, record: str, docs: dict[str, str]) -> str:
    rows = []
    for name, kind in arrow.LISTS[group].items():
        later = name in _LATER and group == "events"
        default = "empty list = not recorded" if later else "never"
        if group == "events" and name == "line":
            default = "-1"
        unknown = _MARKS.get(f"{group}.{name}", default)
        rows.append([f"`{group}.{name}`", f"list&lt;{kind}&gt;", docs[f"{record}.{name}"], unknown])
    return _lines(["column", "type", "meaning, unit", "unknown"], rows)


def _struct_table(group: str, record: str, docs: dict[str, str]) -> str:
    rows = []
    for field in arrow.TRACE_SCHEMA.field(group).type:
        unknown = _MARKS.get(f"{group}.{field.name}", "never")
        text = docs[f"{record}.{arrow.ATTRIBUTES.get(field.name, field.name)}"]
        rows.append([f"`{group}.{field.name}`", _type(field.type), text, unknown])
    return _lines(["column", "type", "meaning, unit", "unknown"], rows)


def _outcome_table(docs: dict[str, str]) -> str:
    rows = []
    for tag, (record, fields) in arrow.OUTCOMES.items():
        cells = ", ".join(f"`{column}` = {field}" for field, column in fields.items())
        rows.append([f'"{tag}"', docs[record.__name__], cells])
    return _lines(["`outcome`", "meaning", "columns"], rows)


def _type(kind: pa.DataType) -> str:
    return f"list&lt;{kind.value_type}&gt;" if pa.types.is_list(kind) else str(kind)


def _lines(head: list[str], rows: list[list[str]]) -> str:
    cells = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def render(page: str) -> str:
    """The page with every table made anew. KeyError names a table that does not exist."""
    made = tables()

    def fill(match: re.Match[str]) -> str:
        return f"<!-- table: {match[1]} -->\n{made[match[1]]}\n<!-- end -->"

    return re.sub(r"<!-- table: (\w+) -->\n.*?<!-- end -->", fill, page, flags=re.DOTALL)


def main() -> None:
    """Rewrite the page, or check it."""
    page = PAGE.read_text(encoding="utf-8")
    current = render(page)
    if "--check" in sys.argv[1:]:
        if current != page:
            raise SystemExit("docs/format.md is not current: run `python docs/make_format.py`")
    else:
        PAGE.write_text(current, encoding="utf-8")


if __name__ == "__main__":
    main()
