"""Words for Python in the texts of questions: blank -> word, for each statement language."""

from __future__ import annotations

_SHARED = {
    "open": "(", "close": ")", "true": "True", "false": "False", "none": "None", "error": "KeyError",
    "pair": "[1, 2], 'list'",
}  # fmt: skip
WORDS: dict[str, dict[str, str]] = {
    "en": {
        "literal": "Python literal", "literals": "Python literals", "tuple": "a Python tuple",
        "list": "a Python list", "dict": "a Python dict", "a_dict": "a dict", "string": "a Python string",
        "inline": "a comprehension", "definition": "`def`", "elif": "`elif`", **_SHARED,
    },
    "zh": {
        "literal": "Python 字面量", "literals": "Python 字面量", "tuple": "Python 元组",
        "list": "Python 列表", "dict": "Python 字典", "a_dict": "字典", "string": "Python 字符串",
        "inline": "推导式", "definition": "`def`", "elif": "`elif`", **_SHARED,
    },
}  # fmt: skip
