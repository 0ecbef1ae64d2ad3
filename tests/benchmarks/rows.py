"""A few rows in the layout of each benchmark that reads a file; written for these tests, from no benchmark.

data_of("mbpp", folder) -> (path of its rows, options)
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from deskcheck import plugins
from deskcheck.errors import DataError, UserError
from deskcheck.records import Task

EVEN = """\
def even(xs):
    found = []
    for x in xs:
        if x % 2 == 0:
            found.append(x)
    return found
"""
PAIRS = """\
def pairs(xs, s):
    n = 0
    for i in range(len(xs)):
        for j in range(i):
            if xs[i] + xs[j] == s:
                n += 1
    return n
"""
CRUXEVAL = [
    {"id": "sample_0", "code": EVEN.replace("even", "f"), "input": "[1, 2, 4]", "output": "[2, 4]"},
    {"id": "sample_1", "code": PAIRS.replace("pairs", "f"), "input": "[1, 2, 3], 4", "output": "1"},
    {
        "id": "sample_2",
        "code": "def f(x):\n    y = x['a']\n    return y",
        "input": "{'a': 'b'}",
        "output": "'b'",
    },
]
LIVECODEBENCH = [
    {
        "id": f"sample_{number}",
        "question_id": number,
        "function_name": "even",
        "code": EVEN,
        "input": f"even(xs = [2, {number}])",
        "output": "[2, 0]" if number == 0 else "[2]",
    }
    for number in (0, 1)
]
MBPP = [
    {
        "task_id": 11,
        "text": "Write a function to count pairs with a sum.",
        "prompt": "Write a function to count pairs with a sum.",
        "code": PAIRS.replace("\n", "\r\n"),
        "test_list": ["assert pairs([1, 2, 3], 4) == 1", "assert pairs([], 0) == 0"],
        "test_setup_code": "",
        "test_imports": ["import math"],
        "challenge_test_list": [],
    },
    {
        "task_id": 12,
        "text": "Write a function to keep the even numbers.",
        "prompt": "Write a function to keep the even numbers.",
        "code": EVEN,
        "test_list": [
            "assert even([1, 2]) == [2]",
            "assert len(even([1])) == 0",
            "assert even([]) == list()",
        ],
        "test_setup_code": "",
        "test_imports": [],
        "challenge_test_list": [],
    },
]
HUMANEVAL = [
    {
        "task_id": "HumanEval/0",
        "prompt": 'def even(xs):\n    """ Keep the even numbers.\n    >>> even([1, 2])\n    [2]\n    """\n',
        "canonical_solution": EVEN.partition("\n")[2],
        "entry_point": "even",
        "test": "def check(candidate):\n    assert candidate([1, 2, 4]) == [2, 4]\n"
        "    assert candidate([1]) == [], 'none'\n    assert len(candidate([])) == 0\n",
    }
]
LEETCODE = [
    {
        "task_id": "keep-even",
        "prompt": "from typing import *\n",
        "completion": "class Solution:\n    def keep(self, xs: List[int], flag: bool) -> List[int]:\n"
        "        kept = []\n        for x in xs:\n            if x % 2 == 0 or flag:\n"
        "                kept += [x]\n        return kept\n",
        "entry_point": "Solution().keep",
        "input_output": [
            {"input": "xs = [1,2,4], flag = false", "output": "[2,4]"},
            {"input": "xs = [], flag = true", "output": "[]"},
            {"input": "xs = make(), flag = true", "output": "[]"},
        ],
        "query": "Given xs, keep its even numbers, so [1, 2, 4] gives two. Order counts.\n\nExample 1:\n\n"
        "Input: xs = [1,2,4]\nOutput: [2,4]\n\nConstraints:\n\nxs has at most 9 entries.\n"
        "Please complete the following python code precisely:\n```python\n```",
        "meta": {"difficulty": "Easy"},
    },
    {
        "task_id": "mirror",
        "prompt": "from typing import *\n",
        "completion": "class Solution:\n"
        "    def mirror(self, root: Optional[TreeNode]) -> Optional[TreeNode]:\n        if root:\n"
        "            a = self.mirror(root.left)\n            root.left = self.mirror(root.right)\n"
        "            root.right = a\n        return root\n",
        "entry_point": "Solution().mirror",
        "input_output": [{"input": "root = [1,2,null,3]", "output": "[1,null,2,null,3]"}],
        "query": "Mirror a tree.",
        "difficulty": "Medium",
    },
]
BOX = """\
class Box:
    def __init__(self, size):
        self.size = size
        self.items = []

    def put(self, item):
        left = self.size - len(self.items)
        if left > 0:
            self.items.append(item)
        return left

    def total(self):
        return sum(self.items)

    @property
    def full(self):
        return len(self.items) == self.size
"""
REVAL = {
    "data": [
        {
            "task_id": "DREval/0",
            "entry_point": "even",
            "code": EVEN,
            "inputs": ["([1, 2, 4],)", "([],)"],
            "outputs": ["[2, 4]", "[]"],
            "test": "",
        },
        {
            "task_id": "DREval/1",
            "entry_point": "pairs",
            "code": PAIRS,
            "inputs": ["([1, 2, 3], 4,)"],
            "outputs": ["1"],
            "test": "",
        },
        {
            "task_id": "DREval/2",
            "entry_point": "Box",
            "code": BOX,
            "inputs": [
                "box = Box(2)\nfor n in (3, 4): box.put(n)\n"
                "assertEqual(box.total(), 7)\nassertTrue(box.full)",
                "assertEqual(self.box.total(), 0)",
                "with assertRaises(IndexError):\nBox(0).put(1)",
            ],
            "test": "class BoxTest(unittest.TestCase): ...",
        },
    ],
    "tasks": [
        {
            "task_id": "DREval/0",
            "idx": 0,
            "tasks": [
                {
                    "input_idx": 0,
                    "task": [{"lineno": 5, "var": "found"}, {"lineno": 6, "var": "found"}],
                    "output_pred": "assert even([1, 2, 4]) == ??",
                }
            ],
        },
        {
            "task_id": "DREval/1",
            "idx": 1,
            "tasks": [
                {
                    "input_idx": 0,
                    "task": [{"lineno": 6, "var": "n"}],
                    "output_pred": "assert pairs([1, 2, 3], 4) == ??",
                }
            ],
        },
        {
            "task_id": "DREval/2",
            "idx": 2,
            "tasks": [
                {
                    "input_idx": 0,
                    "task": [{"lineno": 7, "var": "left"}, {"lineno": 9, "var": "self.items"}],
                    "output_pred": "...",
                },
                {"input_idx": 1, "task": [{"lineno": 13, "var": "self"}], "output_pred": "..."},
                {"input_idx": 2, "task": [{"lineno": 10, "var": "left"}], "output_pred": "..."},
            ],
        },
    ],
}
_RUBY_TEST = """
require 'test/unit'

class TestHumanEval < Test::Unit::TestCase
  def test_f
    candidate = method(:f)
    assert_equal({output}, candidate.call({arguments}))
  end
end"""


def _in_ruby(number: int, body: str, arguments: str, output: str) -> dict[str, object]:
    """A row of CRUXEval-X: the program and its test, without the arguments or without the output."""
    blank = "????"
    return {
        "id": number,
        "code": body + _RUBY_TEST.format(arguments=arguments, output=output),
        "input_reasoning": _RUBY_TEST.format(arguments=blank, output=output),
        "output_reasoning": _RUBY_TEST.format(arguments=arguments, output=blank),
    }


CRUXEVAL_X = [
    _in_ruby(0, "def f(xs)\n    xs.length\nend", "[1, 2]", "2"),
    _in_ruby(1, "def f(s)\n    s + ')'\nend", '"a"', '"a)"'),
    _in_ruby(2, "def f(n)\n    [n, n]\nend", "3", "[3, 3]"),
]
RE2_BENCH = [
    {
        "id": f"project.file.twice_{number}",
        "difficulty": "easy",
        "source": "real",
        "project": "a/b",
        "function": "twice",
        "code": "def twice(x):\n    return [x, x]\n",
        "shown_input": '{"self": {}, "args": {"x": "a"}, "kwargs": {}}',
        "shown_structure_output": '{\n    "output": XXX\n}',
        "output": [value, value],
    }
    for number, value in enumerate(("a", None, 3))
]
OWN = "# deskcheck: even([1, 2])\n# deskcheck: even([6])\n" + EVEN
LINES = {
    "cruxeval": CRUXEVAL,
    "livecodebench-exec": LIVECODEBENCH,
    "mbpp": MBPP,
    "mbpp-nested": MBPP,
    "mbpp-sanitized": MBPP,
    "humaneval": HUMANEVAL,
    "leetcode": LEETCODE,
    "re2-bench": RE2_BENCH,
}


def data_of(name: str, folder: Path) -> tuple[str, dict[str, str]]:
    """Path of the rows of a benchmark ("" where it ships), and the options that it needs."""
    if name in LINES:
        return str(written(folder / f"{name}.jsonl", LINES[name])), {}
    if name == "files":
        (folder / "own.py").write_text(OWN, encoding="utf-8")
        return str(folder / "own.py"), {}
    if name == "reval":
        place = folder / "reval"
        place.mkdir(exist_ok=True)
        written(place / "DREval_data.jsonl", REVAL["data"])
        written(place / "DREval_tasks.jsonl", REVAL["tasks"])
        return str(place), {}
    if name == "cruxeval-x":
        (folder / "rb.json").write_text(json.dumps(CRUXEVAL_X), encoding="utf-8")
        return str(folder / "rb.json"), {"language": "rb"}
    own = Path(__file__).parent / "rows_of" / f"{name}.jsonl"
    if own.is_file():
        return str(own), {}
    return "", {"n": "6"} if name == "fresh" else {}


@cache
def reads_a_file(name: str) -> bool:
    """Whether a benchmark without `data` has nothing to read: no hub, no programs of its own."""
    try:
        next(iter(plugins.load("benchmark", name).drafts("")), None)
    except (DataError, UserError):
        return True
    return False


def written(path: Path, rows: list[dict[str, object]]) -> Path:  # type: ignore[type-arg]
    """Rows as JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def is_unanswerable(task: Task) -> bool:
    """Input tasks whose own arguments are no literals (trees, callables): gold cannot be written down."""
    return task.kind == "input" and ("tree_node" in task.program.arguments or "as_list" in task.program.entry)
