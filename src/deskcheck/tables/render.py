"""Write tables as text: plain, Markdown, LaTeX with booktabs, CSV (a line per cell), JSON, one HTML page.

    render(tables, "latex") -> str        format_of("paper.tex") -> "latex"

The bar "|" in Markdown, special characters of LaTeX, and control characters are escaped.
"""

from __future__ import annotations

import csv
import html
import io
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from deskcheck.errors import UnknownName, UserError
from deskcheck.tables.table import Cell, Table

ENDINGS = {
    ".md": "markdown",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
    ".html": "html",
    ".txt": "plain",
}
_WIDEST = 110  # characters in a line of the terminal
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{",
    "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}",
}  # fmt: skip
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;"
    "background:#fff}table{border-collapse:collapse;font-variant-numeric:tabular-nums;display:block;"
    "overflow-x:auto}th,td{padding:.35rem .8rem;text-align:left;border-bottom:1px solid #ddd;"
    "vertical-align:top}th{border-bottom:2px solid #1a1a1a}p.note{color:#555;font-size:.9rem;margin:.2rem 0}"
    "@media(prefers-color-scheme:dark){body{color:#e8e8e8;background:#161616}th{border-color:#e8e8e8}"
    "td{border-color:#444}p.note{color:#aaa}}"
)


def format_of(path: str) -> str:
    """Return the format for a file's ending. UserError for an unknown ending."""
    ending = Path(path).suffix
    if ending not in ENDINGS:
        raise UserError(f"--out {path}: '{ending}' names no form of a table; known: {', '.join(ENDINGS)}")
    return ENDINGS[ending]


def check_form(form: str) -> None:
    """Raise UnknownName, which lists the known formats, for an unknown format."""
    if form not in FORMS:
        raise UnknownName("format of a table", form, list(FORMS))


def render(tables: Sequence[Table], form: str) -> str:
    """Return all tables as one text. UnknownName for an unknown format."""
    check_form(form)
    return FORMS[form](tables)


def _plain(tables: Sequence[Table]) -> str:
    return "\n\n".join(_plain_table(table) for table in tables) + "\n"


def _plain_table(table: Table) -> str:
    rows = [table.columns, *([visible(cell.text) for cell in row] for row in table.rows)]
    parts = [table.title]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for columns in _fitting(widths):
        for row in rows:
            line = "  ".join(row[column].ljust(widths[column]) for column in columns)
            parts.append("  " + line.rstrip())
        parts.append("")
    return "\n".join([*parts[:-1], *(f"  {note}" for note in table.notes)])


def _fitting(widths: Sequence[int]) -> list[list[int]]:
    """Split the columns into groups that fit the line, each of which begins with the first column."""
    groups: list[list[int]] = []
    used = _WIDEST
    for column in range(1, len(widths)):
        if used + widths[column] + 2 > _WIDEST:
            groups.append([0])
            used = widths[0]
        groups[-1].append(column)
        used += widths[column] + 2
    return groups or [[0]]


def _markdown(tables: Sequence[Table]) -> str:
    parts = []
    for table in tables:
        lines = [f"**{_bar(table.title)}**", "", _piped(table.columns), _piped(["---"] * len(table.columns))]
        lines += [_piped([cell.text for cell in row]) for row in table.rows]
        parts.append("\n".join([*lines, *(f"\n{note}" for note in table.notes)]))
    return "\n\n".join(parts) + "\n"


def _piped(texts: Sequence[str]) -> str:
    return "| " + " | ".join(map(_bar, texts)) + " |"


def _bar(text: str) -> str:
    return visible(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def _latex(tables: Sequence[Table]) -> str:
    parts = []
    for table in tables:
        lines = [
            r"\begin{table}", r"\centering", rf"\caption{{{_tex(table.title)}}}",
            rf"\label{{tab:{table.name}}}",
            rf"\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}", r"\toprule",
            _ampersands(table.columns), r"\midrule",
            *(_ampersands([cell.text for cell in row]) for row in table.rows),
            r"\bottomrule", r"\end{tabular}",
            *(rf"\par\smallskip\footnotesize {_tex(note)}" for note in table.notes), r"\end{table}",
        ]  # fmt: skip
        parts.append("\n".join(lines))
    return "% needs \\usepackage{booktabs}\n" + "\n\n".join(parts) + "\n"


def _ampersands(texts: Sequence[str]) -> str:
    return " & ".join(map(_tex, texts)) + r" \\"


def _tex(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in visible(text))


def _csv(tables: Sequence[Table]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["table", "row", "column", *Cell.__struct_fields__])
    for table in tables:
        for row in table.rows:
            for column, cell in zip(table.columns[1:], row[1:], strict=True):
                values = [getattr(cell, name) for name in Cell.__struct_fields__[1:]]
                names = map(visible, (table.name, row[0].text, column, cell.text))
                writer.writerow([*names, *values])
    return out.getvalue()


def _json(tables: Sequence[Table]) -> str:
    return msgspec.json.format(msgspec.json.encode({"tables": list(tables)}), indent=1).decode() + "\n"


def _html(tables: Sequence[Table]) -> str:
    parts = []
    for table in tables:
        head = "".join(f"<th scope=col>{_safe(name)}</th>" for name in table.columns)
        rows = "".join(
            f"<tr><th scope=row>{_safe(row[0].text)}</th>"
            + "".join(f"<td>{_safe(cell.text)}</td>" for cell in row[1:])
            + "</tr>"
            for row in table.rows
        )
        notes = "".join(f'<p class="note">{_safe(note)}</p>' for note in table.notes)
        parts.append(
            f"<section><h2>{_safe(table.title)}</h2>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{notes}</section>"
        )
    title = _safe(tables[0].title) if tables else "no table"
    return (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style><main>{''.join(parts)}</main></html>\n"
    )


def _safe(text: str) -> str:
    return html.escape(visible(text))


def visible(text: str) -> str:
    """Return the text with control and direction characters as escapes, so that no name distorts a table."""
    return "".join(
        f"\\u{ord(sign):04x}" if unicodedata.category(sign) in ("Cc", "Cf", "Cs") else sign for sign in text
    )


FORMS: dict[str, Callable[[Sequence[Table]], str]] = {
    "plain": _plain,
    "markdown": _markdown,
    "latex": _latex,
    "csv": _csv,
    "json": _json,
    "html": _html,
}
