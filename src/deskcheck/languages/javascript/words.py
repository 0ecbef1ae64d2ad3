"""Words for JavaScript in the texts of questions: blank -> word, for each statement language."""

from __future__ import annotations

from deskcheck.languages.python.words import WORDS as PYTHON

_SHARED = {
    "open": "[", "close": "]", "true": "true", "false": "false", "none": "null", "error": "TypeError",
    "pair": "[1, 2], 'object'",
}  # fmt: skip


def words_of(name: str) -> dict[str, dict[str, str]]:
    """Return statement language -> blank -> word; `name`: "JavaScript" or "TypeScript"."""
    english = {
        "literal": f"{name} literal", "literals": f"{name} literals", "tuple": f"a {name} array",
        "list": f"a {name} array", "dict": f"a {name} object", "a_dict": "an object",
        "string": f"a {name} string", "inline": "an arrow function without braces",
        "definition": "`function`", "elif": "`else if`",
    }  # fmt: skip
    chinese = {
        "literal": f"{name} 字面量", "literals": f"{name} 字面量", "tuple": f"{name} 数组",
        "list": f"{name} 数组", "dict": f"{name} 对象", "a_dict": "对象", "string": f"{name} 字符串",
        "inline": "不带花括号的箭头函数",
        "definition": "`function`", "elif": "`else if`",
    }  # fmt: skip
    assert english.keys() | _SHARED.keys() == PYTHON["en"].keys()
    return {"en": english | _SHARED, "zh": chinese | _SHARED}
