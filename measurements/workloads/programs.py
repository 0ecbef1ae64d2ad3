"""The six workloads: small programs with different habits, each in a small and a large size.

W[name] -> (function, small argument, large argument)
"""
# ruff: noqa: SIM108  (measured as they stand)


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


W = {  # name: (fn, small, big)
    "collatz": (collatz, 40, 1500),
    "bubble": (bubble, 30, 200),
    "strbuild": (strbuild, 600, 20000),
    "fib": (fib, 13, 21),
    "dp": (dp, 2, 12),
    "objs": (objs, 250, 10000),
}
