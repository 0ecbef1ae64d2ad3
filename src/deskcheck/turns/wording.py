"""Read a prompt in another wording: a file of the user's, or a published prompt at a pinned commit.

    wording("mine.txt") -> Wording(name="mine.txt", text="Run this:\\n{code}\\n{call} returns what?")
    wording("cruxeval-cot") -> the prompt of CRUXEval, fetched once, its sha256 checked
    filled(wording, {"code": .., "call": ..}) -> Prompt

A text has these blanks; other braces are not changed: {code} the program, {call} "f(3)", {arguments} "3",
{entry} "f", {output} the output if the question is for the input, {statement}, {question} and {form} the
task's own texts. The text must have the program, and the call, its arguments or the output.

The published texts are not part of this package. It ships the place of each text (repository, commit, file,
function), the sha256 of the text with its blanks, and the sampling of its source. A text with another hash is
refused, so every prompt that is sent is that of the source, word for word. Offline, save the file and name
the copy: cruxeval-cot=prompts.py. `re2-bench=CHECKOUT` has one text for each task of RE2-Bench, which is sent
as it is (`source_prompts`). REval's texts, which have no license, were read in a public copy of its
repository. Besides the blanks above, they have {source} and {tabbed} (the program without line numbers, or
with numbers and tabs), {line}, {codeline} and {variable}.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from deskcheck.errors import UserError
from deskcheck.records import Message, Prompt
from deskcheck.turns.source_prompts import hash_of_texts

RE2 = "re2-bench"
"""Name of the prompts of RE2-Bench, which has one text a task."""
MAX_TOKENS = 1024
"""Token budget of a reply to a user's own wording; `--max-tokens` changes it."""
FETCH_S = 20.0
"""Seconds after which a download fails."""
BLANK = re.compile(
    r"\{(code|call|arguments|entry|output|statement|question|form|source|tabbed|line|codeline|variable)\}"
)


class Wording(Struct, frozen=True, omit_defaults=True):
    """A prompt with blanks, and the sampling of its source."""

    name: str
    text: str
    system: str = ""
    kind: str = ""
    """The only kind of question that the prompt asks; "" = any."""
    max_tokens: int = MAX_TOKENS
    stop: list[str] = field(default_factory=list)
    samples: int = 1
    """Number of answers to each task in its source."""
    config: dict[str, Any] = field(default_factory=dict)
    """Sampling of its source, under the names of Inspect's GenerateConfig."""
    reading: str = ""
    """Conversion of an answer in the source's form: "yes-no", "line", "value; type"; "" = none."""
    place: str = ""
    """Place of a source with one text a task (`source_prompts`); "" = `text` is for every task."""
    digest: str = ""
    """Hash of the texts at that place."""


class Source(Struct, frozen=True):
    """A file of a public repository at one commit."""

    repository: str
    commit: str
    path: str

    @property
    def url(self) -> str:
        """Address of the file's text at that commit."""
        return f"https://raw.githubusercontent.com/{self.repository}/{self.commit}/{self.path}"


class Published(Struct, frozen=True):
    """Place of a published prompt, and the sampling of its source."""

    source: Source
    function: str
    """Function whose f-string is the prompt; "" = the whole file is the prompt."""
    sha256: str
    kind: str
    max_tokens: int
    stop: list[str]
    config: dict[str, Any]
    system: Source
    """File that holds the system message."""
    samples: int = 10
    """Number of answers to each task in the source."""
    blanks: dict[str, str] = field(default_factory=dict)
    """Blank of the source -> its replacement here; empty = the blanks of CRUXEval."""
    reading: str = ""


SYSTEM = "fe01db3bfe1094201ee3f29d7089accfa28d12b9567c15ef59a09e976b3cdb77"
"""sha256 of the system message that CRUXEval and LiveCodeBench share."""
_CRUXEVAL = ("facebookresearch/cruxeval", "c7c787365a9a448f4a07058fb57b19fee7d4c471")
_TEXTS, _CALLS = Source(*_CRUXEVAL, "prompts.py"), Source(*_CRUXEVAL, "openai/openai_prompt.py")
_LCB = Source(
    "LiveCodeBench/LiveCodeBench",
    "1e8d5bcc1cf32fee6c8cd4593735888abb63a1a5",
    "lcb_runner/prompts/code_execution.py",
)
_REVAL = ("boazlavon/REval", "e9146dbf21b1c6155ec050be8e14c8e93f48bb0a")
_REVAL_CALLS = Source(_REVAL[0], "b6d317d2de1e61cbf58c337c286fd8f73f4a516c", "inference.py")
_REVAL_BLANKS = {
    "code": "{source}", "invocation": "{call}", "invocation_abbr": "{call}", "line": "{line}",
    "codeline": "{codeline}", "var": "{variable}",
}  # fmt: skip
_CRUXEVAL_END, _CRUXEVAL_SAMPLING = ["[/ANSWER]"], {"temperature": 0.2}
_LCB_END, _LCB_SAMPLING = ["###"], {"temperature": 0.2, "top_p": 0.95}
PUBLISHED = {
    "cruxeval-direct": Published(
        _TEXTS, "make_direct_output_prompt",
        "a6d1853d8a720e81543bc910e95f3c8a24c1ade83439764968a1d89bc00ffb09",
        "output", 100, _CRUXEVAL_END, _CRUXEVAL_SAMPLING, _CALLS,
    ),
    "cruxeval-cot": Published(
        _TEXTS, "make_cot_output_prompt",
        "c4bd69547b35ab664e699bfc7b5a90eef06cf3b7b8ac5cb4ca211dd0c52c9fe6",
        "output", 1000, _CRUXEVAL_END, _CRUXEVAL_SAMPLING, _CALLS,
    ),
    "cruxeval-input-direct": Published(
        _TEXTS, "make_direct_input_prompt",
        "2c0eab4cbc13a94c0841af6002f08b037243aa45dcce39a01d6325b95c98c3e0",
        "input", 100, _CRUXEVAL_END, _CRUXEVAL_SAMPLING, _CALLS,
    ),
    "cruxeval-input-cot": Published(
        _TEXTS, "make_cot_input_prompt",
        "3d9813aec4d02ff870d65e6117395acba94ab8fed433b9e2bc998e179c23aada",
        "input", 1000, _CRUXEVAL_END, _CRUXEVAL_SAMPLING, _CALLS,
    ),
    "livecodebench-direct": Published(
        _LCB, "make_direct_output_prompt",
        "6532c7f2a62760cf759d342a11739ba7b874e639b974617d02ef8e8088fd9106",
        "output", 1200, _LCB_END, _LCB_SAMPLING, _LCB,
    ),
    "livecodebench-cot": Published(
        _LCB, "make_cot_output_prompt",
        "012d7ff88d70429a30aa474507c7bea946e0cb8b05ce47d04534702d91dda7f0",
        "output", 1200, _LCB_END, _LCB_SAMPLING, _LCB,
    ),
    **{
        f"reval-{task}": Published(
            Source(*_REVAL, f"prompts/direct_{task}.txt"), "", sha256, kind, 256, _CRUXEVAL_END,
            {"temperature": 0.8}, _REVAL_CALLS, 1, {**_REVAL_BLANKS, **blanks}, reading,
        )
        for task, kind, sha256, reading, blanks in (
            ("coverage", "reached", "1a96d57e3d7eec08c8b757381ba7d9d3ee4b77dfd631a009aae685f504a7629d",
             "yes-no", {}),
            ("path", "next-line", "ecf6b4df7c14f2aac495e943a5c531a7f2dca554455440415fccafca08e3d30e",
             "line", {"code": "{tabbed}"}),
            ("state", "state", "eea297983e6bafd51ed950d599efe7151eba01815e744efe243eae647074e353",
             "value; type", {}),
            ("output", "output", "4bf741cf64666b4468684f4c08a06a0026586173d1d1df6af138793ebd522ff9",
             "", {"invocation": "\nassert {call} == ??"}),
        )
    },
}  # fmt: skip
"""Name -> published prompt. The sources of CRUXEval and LiveCodeBench are under the MIT license."""


def wording(prompt: str) -> Wording:
    """Return the wording of a name in PUBLISHED, of NAME=FILE, of a file, or of a wording's JSON.

    UserError if there is no such file, if its text lacks program or call, or if its hash is another one.
    """
    if prompt.startswith("{"):
        return msgspec.json.decode(prompt, type=Wording)
    name, _, saved = prompt.partition("=")
    if name == RE2:
        if not saved:
            raise UserError(f"--prompt {RE2}: name its texts too: --prompt {RE2}=CHECKOUT of the repository")
        return Wording(RE2, "", max_tokens=4 * MAX_TOKENS, place=saved, digest=hash_of_texts(saved))
    if name in PUBLISHED:
        return _published(name, Path(saved) if saved else None)
    try:
        text = Path(prompt).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"--prompt {prompt}: {getattr(error, 'strerror', None) or error}; name a text file with the "
            f"blanks {{code}}, {{call}} and {{form}}, or a published prompt: {', '.join([*PUBLISHED, RE2])}"
        ) from None
    return _checked(Wording(Path(prompt).name, text))


def as_text(wording: Wording) -> str:
    """Return the JSON that `wording` reads again and that a stored setting holds."""
    return msgspec.json.encode(wording).decode()


def title(text: str) -> str:
    """Return the name of a stored wording, with the beginning of its hash: "mine.txt#1f3a9c02"."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{wording(text).name}#{digest}"


def _checked(wording: Wording) -> Wording:
    blanks = set(BLANK.findall(wording.text))
    for needed in (("code", "source", "tabbed"), ("call", "arguments", "output")):
        if not blanks & set(needed):
            raise UserError(
                f"--prompt {wording.name}: the text has no {{{needed[0]}}}, so the model would not be shown "
                f"{'the program' if needed[0] == 'code' else 'the call'}"
            )
    return wording


def filled(wording: Wording, values: dict[str, str]) -> Prompt:
    """Return the prompt with its blanks filled in; `values` maps each blank of the text to its content."""
    text = BLANK.sub(lambda blank: values[blank[1]], wording.text)
    messages = [Message("system", wording.system)] if wording.system else []
    return Prompt([*messages, Message("user", text)], max_tokens=wording.max_tokens, stop=wording.stop)


@cache
def _published(name: str, saved: Path | None) -> Wording:
    """Return a published prompt with our blanks. UserError if its text or system message is another one."""
    found = PUBLISHED[name]
    file = _text(found.source, saved, name)
    texts = _f_strings(file, found.function) if found.function else [file]
    text = next((text for text in texts if _sha256(text) == found.sha256), None)
    if text is None:
        of = f" of {found.function}" if found.function else ""
        raise UserError(
            f"--prompt {name}: {saved or found.source.url} holds no text{of} with the "
            f"sha256 {found.sha256[:12]}.. that was published; use the file at {found.source.url}"
        )
    if found.system == found.source:
        system = _constant(file)
    else:
        beside = saved.parent / found.system.path if saved else None
        system = _constant(_text(found.system, beside, name))
    if system is None:
        raise UserError(f"--prompt {name}: {found.system.url} does not hold the published system message")
    if found.blanks:
        text = re.sub(r"\{(\w+)\}", lambda blank: found.blanks.get(blank[1], blank[0]), text)
    else:
        text = text.replace("({input})", "({arguments})").replace("{input}", "{call}")
    return Wording(
        name,
        text,
        system,
        found.kind,
        found.max_tokens,
        found.stop,
        found.samples,
        found.config,
        found.reading,
    )


def _text(source: Source, saved: Path | None, name: str) -> str:
    """Return a source file: the user's copy, the cached file, or a new download."""
    kept = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "deskcheck" / "prompts"
    kept = kept / source.repository.replace("/", "_") / source.commit[:12] / source.path.replace("/", "_")
    for path in [saved] if saved else [kept]:
        if path.is_file():
            return path.read_text(encoding="utf-8")
    if saved:
        raise UserError(f"--prompt {name}: no file at {saved}; save {source.url} there")
    import urllib.request  # here: few runs fetch, and it loads the libraries of HTTP and mail

    try:
        with urllib.request.urlopen(source.url, timeout=FETCH_S) as reply:
            content: bytes = reply.read()
    except (OSError, ValueError) as error:
        why = getattr(error, "reason", error)
        raise UserError(
            f"--prompt {name}: cannot fetch {source.url}: {why}; save the file by "
            f"other means and say --prompt {name}={Path(source.path).name}"
        ) from None
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(content)
    return content.decode("utf-8")


def _f_strings(file: str, function: str) -> list[str]:
    """Return the f-strings of a function, with each field as a blank; no code of the file is run."""
    found = []
    for node in ast.walk(_parsed(file)):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            found += [_as_blanks(one) for one in ast.walk(node) if isinstance(one, ast.JoinedStr)]
    return found


def _as_blanks(node: ast.JoinedStr) -> str:
    return "".join(
        str(part.value) if isinstance(part, ast.Constant) else f"{{{ast.unparse(part.value)}}}"
        for part in node.values
        if isinstance(part, ast.Constant | ast.FormattedValue)
    )


def _constant(file: str) -> str | None:
    """Return the text in a file that is the published system message."""
    texts = (
        n.value for n in ast.walk(_parsed(file)) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    )
    return next((text for text in texts if _sha256(text) == SYSTEM), None)


def _parsed(file: str) -> ast.Module:
    try:
        return ast.parse(file)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
