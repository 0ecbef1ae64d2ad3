"""Draw the names and literal values in programs of the family `idioms`.

    Values(Random(3)).literal("W") -> "['delta', 'ruby', 'River', 'apple', 'ocean', 'gate']"
    Values(Random(3)).text()       -> "lime/ocean/cat"

A kind is one letter: I integer, F float, B truth value, C character, S string, L list of integers, W list
of strings, Q list of floats, D dictionary from strings to integers, K dictionary from integers to integers,
M dictionary from strings to lists, G list of equally long lists, P list of pairs of a string and an integer,
Z set of integers, O integer or None, A nested list, J tree of dictionaries, T tuple of anything, X anything
else.
"""

from __future__ import annotations

import keyword
from random import Random

VOCABULARY = (
    "amber apple ash bay bell birch blue bolt cat cedar clay cloud coal crow dawn deep delta door dust "
    "east echo elm ember fern field fish fog fox frost gate glass gold grain gray green hail hill ice "
    "iron ivy jade jar key kite lake lamp leaf lime lion map maple mill mint mist moon moss nest noon "
    "north oak ocean olive onyx otter owl pear pine plum pond quartz quill rain red reed river root "
    "rose ruby rust sage salt sand sea seed shell silk sky slate snow south star stone storm sun swan "
    "tar tea thorn tide tin toad top tree vale vine violet wave wax well west wheat wind wolf wood yarn "
    "year zinc zone level noon radar civic"
).split()
_STEMS = {
    "I": "n k m x y a b c i j total count ans res best cur score size limit step left right lo hi cnt num "
    "value idx pos depth width cost price level start end offset carry extra gap need used target rank shift "
    "base unit t d s p q acc result length last prev diff points weight age year",
    "F": "rate ratio mean avg x y price total area share factor value weight speed temp result score",
    "B": "ok flag found valid done seen changed is_new ready good swapped",
    "C": "c ch char letter sep mark",
    "S": "s text word name line t key label title out res result code path msg data prefix token value st",
    "L": "nums xs a arr values items data res out result lst numbers scores costs sizes heights vals seq row "
    "ans points stack ys parts",
    "W": "words names parts lines tokens items keys labels res out tags fields pieces rows strs result lst",
    "Q": "prices rates values weights temps xs ratios samples",
    "D": "counts d freq stock ages scores table m seen totals index cache dic prices result mapping cnt",
    "K": "memo pos seen d cnt where last dist lookup table",
    "M": "groups graph buckets by_key adj index table d result children",
    "G": "grid matrix board rows table m mat cells field",
    "P": "pairs items orders people entries records rows moves edges log",
    "Z": "seen used s done visited unique marks allowed",
    "A": "data tree nested items xs node",
    "J": "tree root node",
    "O": "found best match first hit prev res value",
}
STEMS = {kind: tuple(names.split()) for kind, names in _STEMS.items()}
_ADJECTIVES = "new old max min cur last next first my tmp sub half extra big small raw".split()
# Names that no variable gets.
_TAKEN = {"map", "len", "sum", "max", "min", "next", "index", "re", "heapq", "math"}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Values:
    """Source of random names and literals of a kind."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def name(self, kind: str, taken: object) -> str:
        """Return a name that fits a kind, and that is not in `taken`."""
        rng = self.rng
        stems = STEMS.get(kind, STEMS["I"])
        for _ in range(30):
            stem = rng.choice(stems)
            luck = rng.random()
            if luck < 0.05:
                stem = f"{rng.choice(_ADJECTIVES)}_{stem}"
            elif luck < 0.08:
                stem = f"{stem}{rng.randint(1, 3)}"
            elif luck < 0.10:
                stem = "".join(rng.choice(_LETTERS) for _ in range(rng.randint(2, 4)))
            elif luck < 0.11:
                stem = f"{stem}_"
            if stem not in taken and stem not in _TAKEN and not keyword.iskeyword(stem):  # type: ignore[operator]  # any collection
                return stem
        return f"v{rng.randint(10, 99)}"

    def word(self) -> str:
        """Draw a word, now and then with a capital."""
        word = self.rng.choice(VOCABULARY)
        luck = self.rng.random()
        return word.capitalize() if luck < 0.12 else word.upper() if luck < 0.16 else word

    def number(self) -> int:
        """Draw an integer as tests have them: mostly small, some negative, a few large."""
        rng = self.rng
        return rng.choice(
            (
                rng.randint(0, 9),
                rng.randint(1, 9),
                rng.randint(1, 20),
                rng.randint(1, 50),
                rng.randint(-9, 30),
                rng.randint(10, 120) if rng.random() < 0.8 else rng.randint(100, 5000),
            )
        )

    def real(self) -> str:
        """Draw a float with one or two places."""
        rng = self.rng
        return str(
            round(rng.uniform(-3, 40) if rng.random() < 0.3 else rng.uniform(0, 20), rng.choice((1, 1, 2)))
        )

    def text(self) -> str:
        """Draw a string: words, a list in one string, digits, brackets, a path, a sentence, a jumble."""
        rng = self.rng
        style = rng.randrange(14)
        if style < 3:
            return self.word()
        if style < 6:
            gap = rng.choice((" ", " ", " ", ",", ", ", "-", "_", ";", "/"))
            return gap.join(self.word() for _ in range(rng.randint(2, 5)))
        if style == 6:
            return " ".join(rng.choice(VOCABULARY) for _ in range(rng.randint(5, 10)))[: rng.randint(20, 60)]
        if style == 7:
            return "".join(rng.choice("0123456789") for _ in range(rng.randint(2, 10)))
        if style == 8:
            return "".join(
                rng.choice("abcde") + rng.choice(("", "", "1", "2", "3", "12"))
                for _ in range(rng.randint(3, 8))
            )
        if style == 9:
            alphabet = rng.choice(("ab", "abc", "01", "xyz", "()", "()[]", "+-", "abcABC", "LRUD", ".#"))
            return "".join(rng.choice(alphabet) for _ in range(rng.randint(4, 14)))
        if style == 10:
            gap, eq = rng.choice((";", ",", "&", " ")), rng.choice(("=", ":"))
            return gap.join(
                f"{rng.choice(VOCABULARY)[:4]}{eq}{rng.randint(0, 99)}" for _ in range(rng.randint(2, 4))
            )
        if style == 11:
            alphabet = _LETTERS + rng.choice(("", "  ", "ABCXYZ", "0123456789", " .,!?"))
            return "".join(rng.choice(alphabet) for _ in range(rng.randint(3, 16)))
        if style == 12:
            return (
                self.word().capitalize()
                + rng.choice((", ", " ", "! ", ": "))
                + self.word()
                + rng.choice((".", "!", "", " 7"))
            )
        return " ".join(str(rng.randint(0, 60)) for _ in range(rng.randint(2, 6)))

    def numbers(self, count: int) -> list[int]:
        """Draw `count` integers from one range; some lists are sorted."""
        rng = self.rng
        style = rng.randrange(6)
        if style == 0:
            found = [rng.randint(0, 4) for _ in range(count)]
        elif style == 1:
            found = [rng.randint(-9, 9) for _ in range(count)]
        elif style == 2:
            found = sorted(rng.randint(0, 40) for _ in range(count))
        elif style == 3:
            found = [rng.randint(1, 200) for _ in range(count)]
        else:
            found = [rng.randint(1, 20) for _ in range(count)]
        return found

    def count(self, most: int = 8) -> int:
        """Draw a number of entries from 2 to `most`; with `most` from 8 on, 8 % are from 9 to 20."""
        rng = self.rng
        return rng.randint(9, 20) if rng.random() < 0.08 and most >= 8 else rng.randint(2, most)

    def literal(self, kind: str) -> str:
        """Write a literal of a kind, as an argument or as a value in the program.

        O gives an integer. A, T and X give a nested list.
        """
        rng = self.rng
        if kind in ("I", "O"):
            return str(self.number())
        if kind == "F":
            return self.real()
        if kind == "B":
            return rng.choice(("True", "False"))
        if kind == "C":
            return repr(rng.choice("aeiostrnlbcdx"))
        if kind == "S":
            return repr(self.text())
        if kind == "L":
            return str(self.numbers(self.count()))
        if kind == "W":
            words = [self.word() for _ in range(self.count(6))]
            return str(words if rng.random() < 0.8 else [self.text()[:12] or "x" for _ in words])
        if kind == "Q":
            return f"[{', '.join(self.real() for _ in range(rng.randint(2, 5)))}]"
        if kind == "D":
            return str({self.key(): self.number() for _ in range(rng.randint(2, 6))})
        if kind == "K":
            return str({rng.randint(0, 12): rng.randint(0, 30) for _ in range(rng.randint(2, 6))})
        if kind == "M":
            return str({self.key(): self.numbers(rng.randint(1, 3)) for _ in range(rng.randint(2, 4))})
        if kind == "G":
            width, top = rng.randint(2, 4), rng.choice((1, 4, 9, 9, 20))
            return str([[rng.randint(0, top) for _ in range(width)] for _ in range(rng.randint(2, 4))])
        if kind == "P":
            return str([(rng.choice(VOCABULARY), rng.randint(0, 40)) for _ in range(rng.randint(2, 5))])
        if kind == "Z":
            return (
                f"{{{', '.join(map(str, sorted({rng.randint(0, 20) for _ in range(rng.randint(2, 6))})))}}}"
            )
        if kind == "J":
            return str(self._tree(3))
        return str(self._nested(3) or [1, [2]])

    def key(self) -> str:
        """Draw a key of a dictionary."""
        return self.rng.choice(VOCABULARY) if self.rng.random() < 0.7 else self.rng.choice("abcdexyz")

    def _nested(self, depth: int) -> list[object]:
        rng = self.rng
        return [
            self._nested(depth - 1) if depth and rng.random() < 0.4 else rng.randint(0, 20)
            for _ in range(rng.randint(1 if depth < 3 else 2, 3))
        ]

    def _tree(self, depth: int) -> dict[str, object]:
        rng = self.rng
        sides = [self._tree(depth - 1) if depth and rng.random() < 0.6 else None for _ in range(2)]
        return {"val": rng.randint(0, 30), "left": sides[0], "right": sides[1]}
