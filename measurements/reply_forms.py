"""Which of about 850 forms of an answer the reader takes, and which values it reads otherwise.

    python measurements/reply_forms.py [--level usual] [--show 20]

`reply_forms.txt` holds own sentences and displays, a kind and a JSON text a line: `<V>` stands for the value,
`<J>` for the value in JSON. Subjects, verbs and endings are put together to sentences. Each form is given
with six values, alone and below a line of reasoning. Nothing here is a reply of a model, so the share that
is read says what the reader knows, not how well it reads a source.
"""

from __future__ import annotations

import argparse
import ast
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from deskcheck.grading.extraction import VERSION, Level, check_level
from deskcheck.grading.verdict import extract_answer
from deskcheck.records import Answer, Completion

FORMS = Path(__file__).with_suffix(".txt")
VALUES = ("7", "-3.5", "[3, 4]", "'ab c'", "{'k': 1}", "''")
BEFORE = "We trace it. n is 3, then 4.\n\n"


def parts() -> dict[str, list[str]]:
    """Read `reply_forms.txt`: kind of part (subject, verb, program, ..) -> all its texts, in order."""
    found: dict[str, list[str]] = {}
    for line in FORMS.read_text(encoding="utf-8").splitlines():
        kind, text = line.split("\t")
        found.setdefault(kind, []).append(json.loads(text))
    return found


def forms() -> Iterator[tuple[str, str]]:
    """Yield a kind and a reply with `<V>` or `<J>` in place of the value."""
    of = parts()
    for subject in of["subject"]:
        yield from (("subject", f"{subject} {verb} <V>.") for verb in ("is", "will be"))
        yield from (("subject", f"{subject}{mark} <V>") for mark in (":", " ="))
    for word in of["between"]:
        for subject in ("The output", "The result of f(3)", "Therefore, the final answer"):
            yield "between", f"{subject}: <V>" if word == ":" else f"{subject} {word} <V>."
    for program in of["program"]:
        yield from (("program", f"{program} {verb} <V>.") for verb in ("returns", "prints", "gives"))
    for verb in of["verb"]:
        yield from (("verb", f"{head} {verb} <V>.") for head in ("The function", "Therefore, f(3)"))
    for tail in of["tail"]:
        yield from (("tail", f"{head} <V>{tail}") for head in ("The output is", "The function returns"))
    yield from (("form", text) for text in of["form"])
    yield from (("language", text) for text in of["language"])


def replies() -> Iterator[tuple[str, str, str]]:
    """Yield a kind, a reply and the value that it gives."""
    for kind, form in forms():
        for text in VALUES:
            value = ast.literal_eval(text)
            reply = form.replace("<V>", text).replace("<J>", json.dumps(value))
            yield kind, BEFORE + reply, text
            if kind == "form":
                yield kind, reply, text


def value_read(reply: str, level: Level) -> str:
    """Return the `repr` of the value that is read; "" if none is."""
    found = extract_answer(Completion(reply, "stop"), level)
    if not isinstance(found, Answer):
        return ""
    try:
        return repr(ast.literal_eval(found.text))
    except (ValueError, SyntaxError):
        return found.text


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--level", default="usual")
    options.add_argument("--show", type=int, default=0, help="replies that are read otherwise, to print")
    chosen = options.parse_args()
    level = check_level(chosen.level)
    given, right, otherwise = Counter[str](), Counter[str](), []
    for kind, reply, text in replies():
        given[kind] += 1
        found = value_read(reply, level)
        right[kind] += found == repr(ast.literal_eval(text))
        if found and found != repr(ast.literal_eval(text)):
            otherwise.append((reply[-60:], found))
    n, n_right = given.total(), right.total()
    share = f"{n_right} of {n} read ({100 * n_right / n:.0f} %)"
    print(f"{level}-{VERSION}: {share}, {len(otherwise)} read otherwise")
    print(", ".join(f"{kind} {right[kind]} of {given[kind]}" for kind in given))
    for reply, found in otherwise[: chosen.show]:
        print(f"  {reply!r} -> {found}")


if __name__ == "__main__":
    main()
