"""The six workloads: small programs with different habits, each in a small and a large size.

W[name], LIBRARIES[name] -> (function, small argument, large argument)
UNKNOWN -> functions whose lines call code that the tracer does not know, while the objects of ALIVE live
"""
# ruff: noqa: SIM108  (measured as they stand)

import json
import operator
import re
import textwrap
from bisect import insort
from collections import Counter, defaultdict, deque
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import reduce
from heapq import heappop, heappush
from random import Random


def collatz(n):
    total = 0
    for i in range(1, n):
        x = i
        steps = 0
        while x != 1:
            if x % 2 == 0:
                x = x // 2
            else:
                x = 3 * x + 1
            steps += 1
        total += steps
    return total


def bubble(n):
    a = [(i * 7919) % 1009 for i in range(n)]
    k = len(a)
    for i in range(k):
        swapped = False
        for j in range(k - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                swapped = True
        if not swapped:
            break
    return a


def strbuild(n):
    s = ""
    vowels = 0
    for i in range(n):
        c = "abcdefghijklmnopqrstuvwxyz"[i * 7 % 26]
        if c in "aeiou":
            vowels += 1
            s += c.upper()
        else:
            s += c
        if len(s) > 60:
            s = s[30:]
    return s, vowels


def fib(n):
    if n < 2:
        return n
    a = fib(n - 1)
    b = fib(n - 2)
    return a + b


def dp(n):
    a = "ACGTTGCAAC" * n
    b = "AGTTCCGATC" * n
    m = len(a)
    k = len(b)
    d = [[0] * (k + 1) for _ in range(m + 1)]
    counts = {}
    for i in range(1, m + 1):
        for j in range(1, k + 1):
            if a[i - 1] == b[j - 1]:
                d[i][j] = d[i - 1][j - 1] + 1
            else:
                d[i][j] = max(d[i - 1][j], d[i][j - 1])
        ch = a[i - 1]
        counts[ch] = counts.get(ch, 0) + 1
    return d[m][k], counts


class Node:
    def __init__(self, key, val):
        self.key = key
        self.val = val
        self.left = None
        self.right = None


class Account:
    def __init__(self, name):
        self.name = name
        self.balance = 0.0
        self.log = []

    def deposit(self, x):
        self.balance += x
        self.log.append(x)
        if len(self.log) > 5:
            self.log.pop(0)

    def get(self):
        return self.balance


def objs(n):
    acc = Account("bob")
    other = Account("eve")
    t = 0.0
    for i in range(n):
        acc.deposit(i * 0.5)
        if i % 3 == 0:
            other.deposit(1.25)
        t = acc.get() - other.get()
    return t


def append(n):
    text = ""
    for _ in range(n):
        text += "x"
    return len(text)


class Queue(deque):
    def __init__(self):
        super().__init__()
        self.order = []


@dataclass(order=True)
class Order:
    cost: int
    name: str


ALIVE: list[list[int]] = []  # of the functions below: objects that they leave alone


def counter(n):
    alive, counts = ALIVE, Counter()
    for i in range(n):
        counts.update([i % 7])
    return len(alive) >= 0 and counts[3]


def queue(n):
    alive, queue = ALIVE, Queue()
    for i in range(n):
        queue.append(i)
        queue.rotate(1)
        insort(queue.order, i % 5)
        if len(queue) > 5:
            queue.order.remove(queue.popleft() % 5)
    return len(alive) >= 0 and len(queue.order)


def attributes(n):
    alive, account, name = ALIVE, Account("bob"), "balance"
    for i in range(n):
        setattr(account, name, getattr(account, name) + i)
    return len(alive) >= 0 and account.balance


def blocks(n):
    alive, total = ALIVE, 0
    for i in range(n):
        with nullcontext(i) as number:
            total += number
    return len(alive) >= 0 and total


UNKNOWN = [counter, queue, attributes, blocks]


def words(n):
    text = "the cat sat on the mat, and the dog sat on the log; " * 3
    counts, by_length = Counter(), defaultdict(set)
    for _ in range(n):
        found = re.findall(r"[a-z]+", text)
        counts.update(found)
        for word in sorted(set(found)):
            by_length[len(word)].add(word)
        text = textwrap.fill(text, 40)
        best = counts.most_common(2)
    return json.loads(json.dumps([best, sorted(by_length), text]))


def orders(n):
    random, waiting, done = Random(1), [], deque(maxlen=20)
    for i in range(n):
        heappush(waiting, Order(random.randrange(100), str(i)))
        if len(waiting) > 10:
            first = heappop(waiting)
            done.append(replace(first, name=first.name + "!"))
        names = [order.name for order in done]
        random.shuffle(names)
    return [order.name for order in done], reduce(operator.add, [len(name) for name in names])


LIBRARIES = {  # name: (fn, small, big); most of their lines call code of the standard library
    "words": (words, 10, 200),
    "orders": (orders, 60, 3000),
}

W = {  # name: (fn, small, big)
    "collatz": (collatz, 40, 1500),
    "bubble": (bubble, 30, 200),
    "strbuild": (strbuild, 600, 20000),
    "fib": (fib, 13, 21),
    "dp": (dp, 2, 12),
    "objs": (objs, 250, 10000),
}
