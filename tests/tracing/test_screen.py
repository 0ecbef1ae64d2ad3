"""The screen flags what names a way to a neighbour, and lets tiny programs share a child."""

from __future__ import annotations

import pytest

from deskcheck.plugins import SourceOptions
from deskcheck.programs.generated import programs
from deskcheck.sandbox.zygote import PRELOADED
from deskcheck.tracing.collect import PURE, is_suspicious

SUSPICIOUS = [
    "import sys",
    "import math, os",
    "import math as os_, gc as g",
    "from os import path",
    "from  builtins  import len as l",
    "x = 1; import sys",
    "import \\\n    sys",
    "from math import (\n    sin)\nimport ctypes",
    "__import__('sys')",
    "().__class__.__base__.__subclasses__()",
    "def f(): ...\nf.__code__ = None",
    "class A:\n    def __del__(self): print(1)",
    "import random\nrandom._os.system('x')",
    "import collections\ncollections . _sys.exit()",
    "import contextlib\ncontextlib.os.putenv('TZ', 'EST5EDT')",
    "import random as r\nr._os.system('x')",
    "from json import tool",
    "from random import _inst",
    "def g(): yield\ng().gi_frame.f_back",
    "getattr(1, name)",
    "getattr(1, 'a' 'b')",
    "getattr(1, '__cl' + 'ass__')",
    "getattr(x, f'{n}')",
    "getattr(x, 'a'); g = getattr; g(x, n)",
    "getattr(f, '__code__')",
    "getattr(f, 'gi_frame', None)",
    "import random\ngetattr(random, '_os')",
    "from operator import attrgetter\nattrgetter('a' + 'b')(1)",
    "import string\nstring.Formatter().get_field(n, [], {})",
    "import types, enum\ntypes.FunctionType(enum.bltns.compile(n, '', 'exec'), {})()",
    "import types\ntypes.CodeType(*n)",
    "from types import FunctionType\nFunctionType(n, {})",
    "compile(n, '', 'exec')",
    "import re\nre.compile('a')\ncompile(n, '', 'exec')",
    "from dataclasses import x as re\nre.compile('a')",
    "import re\nre = f()\nre.compile('a')",
    "from re import compile\ncompile('a')",
    "setattr(int, 'x', 1)",
    "exec('import os')",
    "import ｏｓ",
    "ｅｘｅｃ('1')",
    "class A: pass\n__builtins__['len'] = A",
]
HARMLESS = [
    "def f(n):\n    return n + 1\n",
    "import math\nfrom collections import Counter, deque\nimport heapq as h\n",
    "import collections.abc\nfrom __future__ import annotations\n",
    "class A:\n    __slots__ = ('_x',)\n    def __init__(self): self._x = 1\n",
    "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n",
    "import re\nwords = re.compile('[a-z]+')\n",
    "import types\nbox = types.SimpleNamespace(a=1)\ngetattr(box, 'b', getattr(box.a, \"real\"))\n",
    "if __name__ == '__main__':\n    print('é')\n",
]  # fmt: skip


@pytest.mark.parametrize("text", SUSPICIOUS)
def test_what_could_reach_a_neighbour_is_flagged(text: str):
    assert is_suspicious(text)


@pytest.mark.parametrize("text", HARMLESS)
def test_tiny_programs_share_a_child(text: str):
    assert not is_suspicious(text)


def test_what_is_harmless_to_import_is_loaded_before_the_first_program():
    # tempfile is there so that the names that it makes are seeded before each program; it writes files.
    # deskcheck.sandbox.selftest, so that one zygote serves the self-test and the programs after it.
    assert {name.split(".")[0] for name in PRELOADED} == PURE | {"tempfile", "deskcheck"}


def test_generated_programs_share_a_child():
    made = list(programs(SourceOptions(source="generated", family="easy", seed=1, n=200)))
    assert [p.source for p in made if is_suspicious(p.source + p.prelude + p.arguments)] == []
