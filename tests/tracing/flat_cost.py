"""Statements whose cost must not grow with what is alive, and what the core compares for each.

    python -m tests.tracing.flat_cost [alive [name ..]]     a line each, with 10 objects alive and `alive`

It runs in a process of its own, so that no thread of a plug-in of pytest takes part.
"""

from __future__ import annotations

import sys
import time

from tests.tracing.test_native import made

from deskcheck.records import Limits
from deskcheck.tracing import run

_KEEP = "keep = [[i] for i in range(k)]"
STATEMENTS = {
    "index_remainder": (_KEEP, "keep[i % k][0] = i"),
    "index_quotient": (_KEEP, "keep[i // 2 % k][0] = i"),
    "index_product": (_KEEP, "keep[i * 2 % k][0] = i"),
    "index_masked": (_KEEP, "keep[i & 7][0] = i"),
    "index_append": (_KEEP, "keep[i % k].append(i)"),
    "index_length": (_KEEP, "keep[i % len(keep)].append(i)"),
    "index_of_a_call": (_KEEP, "keep[abs(-i) % k][0] = i"),
    "index_of_a_hash": (_KEEP, "keep[hash(str(i)) % k].append(i)"),
    "index_of_own_call": (_KEEP + "\n    def at(j): return j % k", "keep[at(i)].append(i)"),
    "index_added": (_KEEP, "keep[i % k][0] += 1"),
    "attribute": ("keep = [Box(i) for i in range(k)]", "keep[i % k].value = i"),
    "method": ("keep = [Box(i) for i in range(k)]", "keep[i % k].up()"),
    "ring": ("keep = [[] for i in range(k)]", "keep[i % k] = [i]"),
    "swap": (_KEEP, "keep[i % k], keep[(i + 1) % k] = keep[(i + 1) % k], keep[i % k]"),
    "slots_of_numbers": ("keep = [0] * k", "keep[i * 7 % k] = i"),
    "counts_of_a_call": ("keep = [0] * k", "keep[ord(chr(i % 100)) % k] += 1"),
    "set_of_pairs": ("seen = {(i, i) for i in range(k)}", "seen.add((i, i + 1))"),
    "set_of_numbers": ("seen = set(range(k))", "seen.add(i * 3)"),
    "set_discard": ("seen = set(range(k))", "seen.discard(i)"),
    "dict_pop": ("d = {i: i for i in range(k)}", "x = d.pop(i % k)\n        d[i % k] = x"),
    "dict_del": ("d = {i: i for i in range(k)}", "del d[i % k]\n        d[i % k] = i"),
    "dict_by_pair": ("d = {(i, i): 0 for i in range(k)}", "d[i % k, i % k] = i"),
    "dict_count_pair": ("d = {(i, i): 0 for i in range(k)}", "d[(i % k, i % k)] += 1"),
    "dict_setdefault": ("d = {i: [] for i in range(k)}", "d.setdefault(i % k, []).append(i)"),
    "dict_by_text": ("d = {str(i): 0 for i in range(k)}", "d[str(i % k)] = i"),
    "dict_of_lists": ("d = {i: [] for i in range(k)}", "d[i % k].append(i)"),
    "dict_get": ("d = {i: 0 for i in range(k)}", "d[i % k] = d.get(i % k, 0) + 1"),
    "default_dict": ("d = collections.defaultdict(list, {i: [] for i in range(k)})", "d[i % k].append(i)"),
    "counter": ("d = collections.Counter(range(k))", "d[i % k] += 1"),
    "heap_push": ("h = list(range(k))", "heapq.heappush(h, i)"),
    "heap_pop": ("h = list(range(k + 9_999))", "heapq.heappop(h)"),
    "heap_push_pair": ("h = [(i, i) for i in range(k)]", "heapq.heappush(h, (i, k))"),
    "stack_pop": ("keep = list(range(k))", "keep.append(i)\n        x = keep.pop()"),
    "queue": ("q = collections.deque(range(k))", "q.append(i)\n        x = q.popleft()"),
    "bytes": ("b = bytearray(k)", "b[i % k] = i % 256"),
    "counts_of_a_letter": ("keep = [0] * k\n    s = 'abcdefghij'", "keep[ord(s[i % 10]) - 97] += 1"),
    "counts_of_own_call": ("keep = [0] * k\n    def at(j): return j % k", "keep[at(i)] += 1"),
    "counts_of_a_library": ("keep = [0] * k", "keep[random.randrange(k)] += 1"),
    "counts_from_the_end": ("keep = [0] * k", "keep[-(i % k)] = i"),
    "dict_by_letter": ("d = {chr(i): 0 for i in range(k)}\n    s = ''.join(d)", "d[s[i % k]] = i"),
    "dict_by_part": (
        "d = {str(i): 0 for i in range(k)}\n    s = '0123456789' * 9",
        "d[s[i % 9:i % 9 + 1]] = i",
    ),
    "dict_by_written": ("d = {f'a{i}': 0 for i in range(k)}", "d[f'a{i % k}'] = i"),
    "dict_by_sum": ("d = {'a' + str(i): 0 for i in range(k)}", "d['a' + str(i % k)] = i"),
    "dict_by_own_call": (
        "d = {str(i): 0 for i in range(k)}\n    def at(j): return str(j % k)",
        "d[at(i)] = i",
    ),
    "dict_by_method": ("d = {f'a{i}': 0 for i in range(k)}", "d[f'A{i % k}'.lower()] = i"),
    "dict_by_sorted": ("d = {str(i): 0 for i in range(k)}", "d[''.join(sorted(str(i % k)))] = i"),
    "dict_pop_text": (
        "d = {str(i): 0 for i in range(k)}",
        "d.pop(str(i % k), None)\n        d[str(i % k)] = i",
    ),
    "set_of_texts": ("seen = {str(i) for i in range(k)}", "seen.add(str(i * 3))"),
    "texts_of_texts": ("keep = [str(i) for i in range(k)]", "keep[i % k] = str(i).rjust(5).strip().upper()"),
    "with_lock": (
        "lock = threading.Lock()\n    held = [[i].append for i in range(k)]",
        "with lock:\n            x = i",
    ),
    "lock_acquire": (
        "lock = threading.RLock()\n    held = [[i].append for i in range(k)]",
        "lock.acquire()\n        lock.release()",
    ),
    "joined": ("keep = list(range(k))\n    def find(j): return j % k", "keep[find(i)] = find(i + 1)"),
}
"""Name: what is alive, and the statement of the loop. Both see k, how much is alive."""
RECURSION = {
    "closure": "return 1 + down(d - 1) if d else 0",
    "closure_loop": "for e in graph[d]:\n            if e >= 0 and e not in seen: down(e)",
    "closure_set": "seen.add(d)\n        if d: down(d - 1)",
    "closure_memo": "if d in memo: return memo[d]\n        memo[d] = down(d - 1) if d else 0",
}
"""Name: body of a function in f, which calls itself k deep."""
THREADS = """
import threading
def f(k, n):
    def work(j):
        xs = [j]
        for i in range(n):
            xs[0] = i
    threads = [threading.Thread(target=work, args=(j,)) for j in range(k)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
"""
HEAD = """
import collections, heapq, random, sys, threading
class Box:
    def __init__(self, value): self.value = value
    def up(self): self.value += 1
"""


def source_of(name: str) -> str:
    """Return the program of a statement."""
    before, statement = STATEMENTS[name]
    return f"{HEAD}\ndef f(k, n):\n    {before}\n    for i in range(n):\n        {statement}\n"


def recursion_of(name: str) -> str:
    """Return the program of a recursion."""
    return f"""{HEAD}
def f(k, n):
    sys.setrecursionlimit(k + 1000)
    graph, seen, memo = {{i: [i - 1] for i in range(k + 1)}}, set(), {{}}
    def down(d):
        {RECURSION[name]}
    for i in range(n):
        down(k)
"""


def cost(source: str, k: int, n: int) -> tuple[int, int, float]:
    """Objects and items compared without the net, steps, and seconds of processor time."""
    program = made(source, f"f({k}, {n})")
    limits = Limits(max_steps=10**6, nodes=10**6, trace_bytes=2**30)
    seen = []
    original = run.Native.__init__

    def start(self: run.Native, *args: object, **more: object) -> None:
        original(self, *args, **more)  # type: ignore[arg-type]
        self.core.net = 0
        seen.append(self.core)

    run.Native.__init__ = start  # type: ignore[method-assign]
    before = time.process_time()
    try:
        trace = run.trace_program(program, limits, tracer="native")
    finally:
        run.Native.__init__ = original  # type: ignore[method-assign]
    return seen[0].n_compared, trace.n_steps, time.process_time() - before


def each(source: str, k: int, first: int, last: int) -> tuple[float, float]:
    """Compared, and microseconds, for each step of the rounds between."""
    few, some = cost(source, k, first), cost(source, k, last)
    steps = some[1] - few[1]
    assert steps >= last - first
    return (some[0] - few[0]) / steps, (some[2] - few[2]) / steps * 1e6


def main(alive: int = 10_000, *names: str) -> None:
    """Print them; a name that ends in ! grows. `alive`: how many objects, and how deep recursions go."""
    grows = []
    for name in names or (*STATEMENTS, *RECURSION):
        if name in STATEMENTS:
            few, many = (each(source_of(name), k, 10, 410) for k in (10, alive))
        else:
            few, many = (each(recursion_of(name), k, 0, 1) for k in (100, alive))
        is_flat = many[0] < 2 * few[0] + 20
        grows += [] if is_flat else [name]
        mark = "!" * (not is_flat)
        print(f"{name + mark:20} compared {few[0]:8.1f} {many[0]:8.1f}, us {few[1]:6.2f} {many[1]:6.2f}")
    if not names:
        compared, us = each(THREADS, 100, 20, 220)
        print(f"100 threads          compared {compared:8.1f}, us {us:6.2f}")
        grows += ["threads"] * (compared > 2_000)
    print(" ".join(("growing:", *grows)))


if __name__ == "__main__":
    main(int((*sys.argv, 10_000)[1]), *sys.argv[2:])
