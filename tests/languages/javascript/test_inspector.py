"""Every variable at every step is what V8's inspector reads from the program that node has stopped there."""

from __future__ import annotations

import gzip
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.languages.javascript.conftest import record
from tests.languages.javascript.inspector import ACORN, differences, needs_node, stepped
from tests.languages.javascript.test_drawn import drawn

from deskcheck.languages.javascript.worker import PARSER_FILES

pytestmark = needs_node
SEED = 49


def alike(source: str) -> str:
    """Leave out of a drawn program what node does by the clock, or this tracer does not see."""
    source = source.replace("yield* L(v)", "yield L(v)").replace(".sort((x, y)", ".map((x, y)")
    return re.sub(r"}, \d\);", "}, 1);", source)


def compared(sources: Sequence[str], run: Callable[..., Any]) -> int:
    """Compare every program; return how many values were compared."""
    n_values = 0
    for source, seen in zip(sources, stepped(sources), strict=True):
        result = differences(record(run(source)), seen)
        assert result.differences == [], source
        n_values += result.values
    return n_values


def sampled(path: Path, n: int) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        codes = [json.loads(line)["code"] for line in file]
    return random.Random(SEED).sample(codes, n)


def test_the_comparison_sees_a_wrong_value(run: Callable[..., Any]):
    (seen,) = stepped(["let x = 1;\nx += 1;\nx += 2;\n"])
    assert differences(record(run("let x = 1;\nx += 1;\nx += 2;\n")), seen).differences == []
    (wrong,) = differences(record(run("let x = 1;\nx += 5;\nx += 2;\n")), seen).differences
    assert wrong == "line 3, step 3: x is '6', node: 2"


def test_drawn_programs_step_as_in_node(run: Callable[..., Any]):
    assert compared([alike(source) for source in drawn(0, 6)], run) > 3_000


@pytest.mark.slow
def test_a_hundred_drawn_programs_step_as_in_node(run: Callable[..., Any]):
    assert compared([alike(source) for source in drawn(0, 100)], run) > 150_000


TYPED = """\
interface Point { x: number; y?: number }
class Box<T extends Point> {
  private readonly items: T[] = [];
  constructor(name: string | null = null) { (this as any).name = name ?? 'box'; }
  add(item: T, times: number = 1): this {
    for (let i: number = 0; i < times; i++) {
      this.items.push({...item, y: (item.y as number) || i});
    }
    return this;
  }
  get total(): number {
    let sum: number = 0;
    for (const {x, y} of this.items) {
      sum += x * y!;
    }
    return sum;
  }
}
type Pair = [string, number];
const pairs: Pair[] = [['a', 1], ['b', 2]];
const box = new Box<Point>();
for (const [key, value] of pairs) {
  box.add({x: value, y: key === 'a' ? 3 : undefined}, value);
}
const best = <number>Math.max(...(pairs.map((p: Pair): number => p[1]) satisfies number[]));
console.log(box.total, best);
"""


def erased(sources: Sequence[str]) -> list[str]:
    """Return programs in TypeScript with spaces for their types, as the tracer's own parser makes them."""
    code = (
        "import json, sys; from py_mini_racer import MiniRacer; v8 = MiniRacer();"
        "[v8.eval(open(name, encoding='utf-8').read() + ';0') for name in sys.argv[1:]];"
        "f = '(s) => deskcheckInstrument(s, {typescript: true, call: null}).erased()';"
        "print(v8.eval(f'JSON.stringify({sys.stdin.read()}.map({f}))')); v8.close()"
    )
    files = [str(ACORN.parents[1] / name) for name in PARSER_FILES]
    text = json.dumps(sources)
    done = subprocess.run(
        [sys.executable, "-c", code, *files], input=text, capture_output=True, text=True, check=True
    )
    return list(json.loads(done.stdout))


def compared_typed(sources: Sequence[str], run: Callable[..., Any]) -> int:
    """Compare every program in TypeScript; return how many values were compared."""
    n_values = 0
    for source, seen in zip(sources, stepped(erased(sources)), strict=True):
        result = differences(record(run(source, ts=True)), seen)
        assert result.differences == [], source
        n_values += result.values
    return n_values


def test_a_program_in_typescript_steps_as_in_node(run: Callable[..., Any]):
    assert compared_typed([TYPED], run) > 80


@pytest.mark.slow
def test_two_hundred_programs_in_typescript_step_as_in_node(data: Any, run: Callable[..., Any]):
    assert compared_typed(sampled(data("cruxeval-x/ts.jsonl.gz"), 200), run) > 15_000


@pytest.mark.slow
def test_two_hundred_programs_step_as_in_node(data: Any, run: Callable[..., Any]):
    assert compared(sampled(data("cruxeval-x/js.jsonl.gz"), 200), run) > 15_000
