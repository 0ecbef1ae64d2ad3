"""Programs of the statements whose cost is flat, drawn at random, told with short cuts and without them.

    python -m tests.tracing.flat_fuzz [first [n]]     -> "n programs, .. steps, all agree"; an AssertionError

Without the short cuts every object is compared at every event (`brute`).
"""

from __future__ import annotations

import sys
from random import Random

from tests.tracing.test_native import made, same, traced_native

from deskcheck.records import Granularity, Limits

HEAD = """
import bisect, collections, contextlib, heapq, io, random, threading
from heapq import heappush, heappop
class Box:
    def __init__(self, value): self.value, self.items = value, []
    def put(self, x):
        self.value = x
        return self
    def at(self, i): return self.items
class Low:
    def __init__(self, value): self.value = value
    def __lt__(self, other): return self.value < other.value
class Kept:
    def __init__(self, keep): self.keep = keep
    def __enter__(self): return self.keep
    def __exit__(self, *why):
        self.keep.append(len(why))
        return why[0] is KeyError
def at(j, k): return j % k
def same(x): return x
def moved(x, y): return at(x, y) + at(y, x) if x else 0
def text(x): return "a" + str(x)
def no(x): raise KeyError(x)
def f():
    k = {k}
    keep = [[i] for i in range(k)]
    row = list(range(k))
    grid = [[j for j in range(3)] for i in range(k)]
    boxes = [Box(i) for i in range(k)]
    d = {{i: [i] for i in range(k)}}
    e = {{(i, i % 3): i for i in range(k)}}
    t = {{str(i): [] for i in range(k)}}
    dd = collections.defaultdict(list)
    c = collections.Counter(range(k))
    s = {{(i, i) for i in range(k)}}
    u = set(range(k))
    h = [(i, 0) for i in range(k)]
    low = [Low(i) for i in range(3)]
    q = collections.deque(range(k))
    b = bytearray(k)
    m = collections.deque([0], maxlen=3)
    keep[0], keep[-1] = keep[-1], keep[0]
    d[1] = keep[1]
    word = "badcab" * 2
    lock, again, kept = threading.Lock(), threading.RLock(), Kept(keep[0])
    holder = Box(lock)
    x = y = 0
    def hop(n):
        nonlocal x, y
        x, y = n % k, x if isinstance(x, int) else 0
        return n % k
    def down(n):
        if n:
            for z in [n, n]:
                if z: return down(n - 1)
        keep[n % k].append(n)
        return n
    for i in range({n}):
"""
KEYS = """
i
i % k
i // 2 % k
i * 3 % k
i & 3
-i % k
abs(i) % k
at(i, k)
len(row) - 1
i % len(keep)
hash(str(i)) % k
x % k if x else 0
(i ^ 1) % k
i >> 1
(i << 1) % k
row[i % k] % k
boxes[i % k].value % k
ord(word[i % 6]) - 97
min(i, ord(chr(i % k)), k - 1)
-(i % k)
~i % k
moved(i, k) % k
hop(i)
x % k + hop(i) if isinstance(x, int) else 1
hop(x if isinstance(x, int) else 1) % k
int(str(i % k))
random.Random(i).randrange(k)
bisect.bisect(range(k), i) % k
i / 2 // 1 if i % 2 else 1
round(i / 2) % k
at(hop(i), k)
at(i, k) - at(x if isinstance(x, int) else 0, k)
len(str(i)) % k
""".split("\n")[1:-1]
STATEMENTS = """
keep[{key}][0] = {value}
keep[{key}].append({value})
keep[{key}] = [{value}]
keep[{key}][0] += 1
keep[{key}] += [i]
grid[{key}][{small}] = {value}
grid[{key}][{small}] += 1
grid[{key}], x = grid[{other}], i
keep[{key}], keep[{other}] = keep[{other}], keep[{key}]
row[{key}] = {value}
row[{key}] += 1
boxes[{key}].value = {value}
boxes[{key}].put({value})
boxes[{key}].put(i).items.append(i)
boxes[{key}].at(i).append({value})
d[{key}] = {value}
x = d.pop({key}, None); y = i
x = d.pop({key}, 0)
d.setdefault({key}, []) 
d.setdefault({key}, [i])
if {key} in d: del d[{key}]
e[({key}, {small})] = {value}
e[{key}, 1] = i
e.pop(({key}, i % 3), None)
e[(i % k, i % 3)] = e.get((i % k, i % 3), 0) + 1
t[str({key})] = {value}
t.setdefault(str(i), []).append({value})
t[word[{key}:{key} + 2]] = {value}
t[word[-1]] = t[word[i % 5]] = {value}
t["a" + str({key})] = {value}
t[f"{{i}},{{{key}}}"] = {value}
t[f"A{{{key}}}".lower()] = i
t["".join(sorted(word[{small}:]))] = {value}
t[text({key})] = {value}
t.pop(text(i), None)
t[str({key}).rjust(3).strip()] = {value}
row.append(len(str({key}).zfill(4).upper()))
keep[{key}].extend(f"{{i}},{{k}}".split(","))
x = str({key}).upper(); y = "".join([str(i), word]).lower()
t.pop(str({key}), None)
t[str({key})] = text(x)
t[str({key} / 2)] = i
e[{key}, word[i % 3]] = {value}
e[hop({small}), at(i, k)] = {value}
keep[hop({small})][at(i, k)] = {value}
keep[x % k if isinstance(x, int) else 0][hop(i) and 0] = i
row[at({key}, k)] = at(i, k)
row[at({key}, k)], row[{other}] = hop(i), hop(i + 1)
b[at({key}, k)] = hop(i)
b[{key}] ^= 5
s.add(text({key}))
s.discard(text(i))
t[no({key}) if i == 5 else text(i)] = i
[u.add(hop(j)) for j in range(3)]
dd[{key}].append({value})
dd.pop({key}, None)
c[{key}] += 1
s.add(({key}, i))
s.add(({key}, {small}))
s.discard(({key}, i))
u.add({key})
u.add(i * 3)
u.discard({key})
heappush(h, ({key}, i))
x = heappop(h) if len(h) > 2 else 0
heapq.heapreplace(h, ({key}, i)) if h else 0
heappush(low, Low({small}))
heapq.heappushpop(low, Low({small}))
heapq.heappush(row, {key})
q.append({value})
x = q.popleft() if q else 1
q.appendleft(i)
q.append(x); x = q.pop()
m.append({value})
m.append(i); m.append(x)
x = m.popleft() if m else 0
u.remove({key})
u.discard({key}); u.add({other})
s.remove(({key}, {key}))
x = [u.discard({key}), u.add(i)]
b[{key}] = 1
row.pop() if len(row) > 3 else 0
row.append({value})
x = row.pop(); row.append(x)
row.insert(0, i); row.pop()
down({small})
x = {key}; keep[x][0] = i
keep[{key}][0] = keep[{other}][-1] = i
d.clear() if i == 9 else None
x = [keep[{key}].append(j) for j in range(2)]
for z in range(2): keep[{key}].append(z)
x, keep[{key}] = keep[{key}], [i]
i if i % 2 else keep[{key}].append(i)
same(keep[{key}]).append(i)
same(d).pop({key}, None)
d.update({{i: keep[{key}]}})
keep[{key}].extend([i, i])
keep[{key}][:] = [i]
del keep[{key}][0:1]
""".split("\n")[1:-1]
STATEMENTS += [
    "row[(y if isinstance(y, int) else 0) % k\n            + (y := i % 2) * 0] = i",
    "keep[\n            {key}\n        ].append((x := i))",
    "t[text(\n            {key}\n        )] = {value}",
]
BODY = "\n                "
STATEMENTS += [
    f"with lock:{BODY}keep[{{key}}].append({{value}})",
    f"with lock as x:{BODY}row[{{key}}] = i",
    f"with again, lock:{BODY}keep[{{key}}][0] = {{value}}",
    f"with again:{BODY}with again:{BODY}    d[{{key}}] = {{value}}",
    f"with (again if i % 2 else kept):{BODY}u.add({{key}})",
    f"with kept as x:{BODY}x.append({{key}}){BODY}raise KeyError(i)",
    f"with holder.value:{BODY}lock = threading.Lock(){BODY}keep[{{key}}] = [{{value}}]",
    f"with lock:{BODY}holder.value = lock = threading.Lock(){BODY}raise KeyError(i)",
    f"with lock:{BODY}if {{key}} % 2: continue{BODY}boxes[{{key}}].put(i)",
    f"with contextlib.nullcontext(keep[{{key}}]) as x:{BODY}x.append({{value}})",
    f"with memoryview(b) as x:{BODY}x[{{key}}] = i % 200",
    f"with contextlib.ExitStack() as x:{BODY}x.enter_context(lock){BODY}x.callback(keep[{{key}}].append, i)",
    "with lock: keep[{key}].append({value})",
    "x = lock.acquire(False); lock.release(); keep[{key}].append(x)",
    "x = again.acquire(); again.release(); y = lock.locked()",
]
VALUES = """
i
x
[i]
(i, k)
keep[i % 2]
str(i)
i / 2
None
""".split("\n")[1:-1]


def source_of(seed: int) -> str:
    """Return a program."""
    random = Random(seed)
    text = HEAD.format(k=random.choice([3, 5, 12]), n=random.choice([8, 25]))
    for _ in range(random.randrange(2, 9)):
        key, other, value = (random.choice(some) for some in (KEYS, KEYS, VALUES))
        small = random.choice(["0", "i % 3", "x and 1", "2"])
        statement = random.choice(STATEMENTS).format(key=key, other=other, value=value, small=small)
        if random.random() < 0.15 and not statement.startswith(("if", "for", "dd", "with")):
            # At a call of unknown code `brute` sees what the statement before it has stored, a moment sooner.
            statement += (
                f"; z = {random.choice([key for key in KEYS if 'bisect' not in key and 'Random' not in key])}"
            )
        if random.random() < 0.8:
            caught = "except (LookupError, TypeError) as error:"
            statement = f"try:\n            {statement}\n        {caught}\n            y = i"
        text += f"        {statement}\n"
    return text + "    return len(keep)\n"


def main(first: int = 0, n: int = 300) -> None:
    """Compare them."""
    steps, limits = 0, Limits(max_steps=20_000)
    for seed in range(first, first + n):
        program = made(source_of(seed))
        for fine in Granularity:
            quick, brute = (
                traced_native(program, limits, granularity=fine, brute=way) for way in (False, True)
            )
            try:
                same(quick, brute)
            except AssertionError:
                print(source_of(seed), seed, int(fine), quick.outcome, brute.outcome)
                raise
            steps += quick.n_steps
    print(f"{n} programs, {steps} steps, all agree")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
