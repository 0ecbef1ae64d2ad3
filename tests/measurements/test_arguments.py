"""`make bench` runs every measurement without arguments, so none may require one."""

from __future__ import annotations

import ast
from pathlib import Path

MEASUREMENTS = Path(__file__).parents[2] / "measurements"


def required(source: str) -> list[str]:
    """Return the arguments that a script's parser requires."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if node.func.attr != "add_argument" or not isinstance(node.args[0], ast.Constant):
            continue
        given = {one.arg: ast.unparse(one.value) for one in node.keywords}
        name = str(node.args[0].value)
        optional = given.get("required") != "True" if name.startswith("-") else given.get("nargs") in _NONE
        found += [] if optional else [name]
    return found


_NONE = ("'?'", "'*'")


def test_no_measurement_requires_an_argument():
    scripts = sorted(MEASUREMENTS.glob("*.py"))
    assert len(scripts) > 30
    assert {one.name: found for one in scripts if (found := required(one.read_text("utf-8")))} == {}


def test_required_arguments_are_found():
    source = "p.add_argument('out')\np.add_argument('x', nargs='?')\np.add_argument('--y', required=True)"
    assert required(source) == ["out", "--y"]
