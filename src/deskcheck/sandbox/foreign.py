"""Programs of other languages, each run by its own toolchain in bubblewrap, without network.

    run_foreign("console.log(1)", "javascript") -> ""         it ended with status 0
    run_foreign("throw 1", "javascript")        -> "exit status 1: Node.js v20.20.2", with its last words

Only asked for by name (`-T run_foreign=yes`): nothing is traced, and this is no part of the sandbox that runs
Python. Covered: no network, no processes or files of the user to see, a read-only system, a folder of its own
in memory, limits of time, memory and processes. Not covered: a fault of the kernel or of bubblewrap.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec import Struct

from deskcheck.errors import UserError

TIME_S = 20
MEMORY_KB = 4_000_000
OUTPUT_BYTES = 10_000_000


class Toolchain(Struct, frozen=True):
    """How a language's program is run. The file lies in the folder where the commands run."""

    file: str
    commands: tuple[str, ...]
    """Shell commands, one after the other; the first word of each has to be installed."""
    package: str
    """Debian's packages."""
    library: str = ""
    """A file that the programs of CRUXEval-X need."""


TOOLCHAINS = {
    "cs": Toolchain(
        "a.cs",
        (
            "mcs -d:DEBUG -warn:0 -r:System.Numerics.dll a.cs",
            "mono a.exe 2>said",
            'test -z "$(grep ^Fail: said)"',  # a failed assertion is written, and the program goes on
        ),
        "mono-mcs",
    ),
    "cpp": Toolchain("a.cpp", ("g++ -std=c++17 -O0 -o a a.cpp", "./a"), "g++"),
    "go": Toolchain("a_test.go", ("go test a_test.go",), "golang-go"),
    "java": Toolchain(
        "Problem.java",
        ("java -ea -cp /usr/share/java/javatuples.jar Problem.java",),
        "default-jdk libjavatuples-java",
        "/usr/share/java/javatuples.jar",
    ),
    "javascript": Toolchain("a.js", ("node a.js",), "nodejs"),
    "lua": Toolchain("a.lua", ("lua5.4 a.lua",), "lua5.4 lua-unit"),
    "perl": Toolchain("a.pl", ("perl a.pl",), "perl libtest-deep-perl"),
    "php": Toolchain("a.php", ("php a.php",), "php-cli"),
    "r": Toolchain("a.R", ("Rscript a.R",), "r-base-core"),
    "racket": Toolchain("a.rkt", ("racket a.rkt",), "racket"),
    "ruby": Toolchain("a.rb", ("ruby a.rb",), "ruby ruby-test-unit"),
    "rust": Toolchain("a.rs", ("rustc -o a a.rs", "./a"), "rustc"),
    "scala": Toolchain("a.scala", ("scala a.scala",), "scala"),
    "shell": Toolchain("a.sh", ("bash a.sh",), "bash"),
    "d": Toolchain("a.d", ("gdc -funittest -o a a.d", "./a"), "gdc"),
    "typescript": Toolchain(
        # types that do not fit are no failure: what a program returns does not hang on them
        "a.ts",
        ("tsc --target es2020 --lib es2021 a.ts || true", "node a.js"),
        "node-typescript",
    ),
}
"""Languages that Debian has a toolchain for; it has none for Julia and Swift."""


def check_foreign(language: str) -> None:
    """UserError where the language, its toolchain or bubblewrap is missing."""
    if language not in TOOLCHAINS:
        raise UserError(f"run_foreign: no toolchain for {language}; there are: {', '.join(TOOLCHAINS)}")
    tool = TOOLCHAINS[language]
    needed = ["bwrap", *(command.split()[0] for command in tool.commands)]
    missing = [name for name in needed if not name.startswith("./") and shutil.which(name) is None]
    missing += [tool.library] if tool.library and not Path(tool.library).exists() else []
    if missing:
        install = f"apt-get install bubblewrap {tool.package}"
        raise UserError(f"run_foreign: {', '.join(missing)} not found; on Debian: {install}")


def run_all_foreign(sources: Iterable[str], language: str, *, workers: int = 2) -> Iterator[str]:
    """`run_foreign` of each, in order."""
    check_foreign(language)
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(lambda source: run_foreign(source, language), sources)


def run_foreign(source: str, language: str) -> str:
    """Why the program did not end with status 0; "" where it did."""
    tool = TOOLCHAINS[language]
    with tempfile.TemporaryDirectory(prefix="deskcheck-foreign-") as folder:
        Path(folder, tool.file).write_text(source, encoding="utf-8", errors="replace")
        try:
            done = subprocess.run(
                ["bwrap", *_inside(Path(folder)), "sh", "-c", _script(tool)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=TIME_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "time limit"
    if done.returncode and done.stderr.startswith(b"bwrap:"):
        raise UserError(f"run_foreign: {done.stderr.decode(errors='replace').strip()[:200]}; nothing was run")
    if not done.returncode:
        return ""
    said = done.stderr.decode(errors="replace").strip().rpartition("\n")[2].strip()
    return f"exit status {done.returncode}" + (f": {said[:120]}" if said else "")


def _script(tool: Toolchain) -> str:
    reserves_much = tool.commands[0].split()[0] in ("java", "node", "go", "tsc")
    limits = "" if reserves_much else f"ulimit -v {MEMORY_KB}; "
    return f"{limits}ulimit -f {OUTPUT_BYTES // 512}; cp /given/* .; {' && '.join(tool.commands)}"


def _inside(folder: Path) -> list[str]:
    """A new root with the system's programs to read, and an empty folder in memory to work in."""
    programs = ("/usr", "/bin", "/lib", "/lib64", "/etc/alternatives")
    settings = ("/etc/java-17-openjdk", "/etc/R", "/etc/php", "/etc/ssl", "/etc/mono")
    there = [path for path in (*programs, *settings) if Path(path).exists()]
    bound = [word for path in there for word in ("--ro-bind", path, path)]
    return [
        "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv",
        "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "HOME", "/home",
        "--setenv", "LANG", "C.UTF-8", "--setenv", "MONO_TRACE_LISTENER", "Console.Error",
        *bound, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/home",
        "--ro-bind", str(folder), "/given", "--chdir", "/home",
    ]  # fmt: skip
