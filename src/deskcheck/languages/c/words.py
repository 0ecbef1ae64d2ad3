"""Words for C in the texts of questions: blank -> word, for each statement language."""

from __future__ import annotations

from deskcheck.languages.python.words import WORDS as PYTHON

_SHARED = {
    "open": "{", "close": "}", "true": "true", "false": "false", "none": "NULL", "error": "abort",
    "pair": '{1, 2}, "long[]"',
}  # fmt: skip
WORDS: dict[str, dict[str, str]] = {
    "en": {
        "literal": "C literal", "literals": "C literals",
        "tuple": "a C initializer", "list": "a C initializer",
        "dict": "a C initializer with the names of fields",
        "a_dict": "an initializer with the names of fields",
        "string": "a C string", "inline": "a macro", "definition": "the head of a function",
        "elif": "`else if`", **_SHARED,
    },
    "zh": {
        "literal": "C 字面量", "literals": "C 字面量", "tuple": "C 初始化列表", "list": "C 初始化列表",
        "dict": "带字段名的 C 初始化列表", "a_dict": "带字段名的初始化列表", "string": "C 字符串",
        "inline": "宏", "definition": "函数头", "elif": "`else if`", **_SHARED,
    },
}  # fmt: skip
assert WORDS["en"].keys() == PYTHON["en"].keys()
