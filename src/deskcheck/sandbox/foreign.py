"""Run programs in other languages, each with its language's toolchain, in bubblewrap and without network.

    run_foreign("console.log(1)", "javascript") -> ""                 the program ended with status 0
    run_foreign("throw 1", "javascript") -> "exit status 1: Node.js v20.20.2"   the last line of its stderr

These runs are off by default: the option `-T run_foreign=yes` of the benchmark `cruxeval-x` turns them on.
Nothing is traced, and the sandbox that runs Python is not involved.

Covered: a program has no network, sees no files or processes of the user, cannot write to the system, and
works in an empty folder in memory. Limited are its time, its number of processes (Linux exempts root), the
memory of each process and the size of each file. Not covered: faults of the kernel or of bubblewrap, and the
memory that a program's processes and files take together.
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

TIME_S = 30
"""Time limit of one program, compiling included, in seconds."""
MEMORY_KB = 4_000_000
"""Most private memory of one process, in KiB; memory that is only reserved does not count."""
MAX_PROCESSES = 4_096
"""Processes and threads; Go's compiler needs hundreds on a machine of many cores."""
FILE_BYTES = 64_000_000
"""Largest size of one file; a linked Rust program has more than 10 MB."""


class Toolchain(Struct, frozen=True):
    """The file name and the commands by which programs of one language are run."""

    file: str
    commands: tuple[str, ...]
    """Shell commands, run in the folder of the file. The first word of each but `./a` must be installed."""
    package: str
    """Debian packages to install, separated by spaces."""
    library: str = ""
    """Path of a library that the programs of CRUXEval-X need; "" = none."""


TOOLCHAINS = {
    "cs": Toolchain(
        "a.cs",
        (
            "mcs -d:DEBUG -warn:0 -r:System.Numerics.dll a.cs",
            "mono a.exe 2>said",
            'test -z "$(grep ^Fail: said)"',  # after a failed assertion, Mono writes a line and continues
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
    "scala": Toolchain("a.scala", ("scala -nocompdaemon a.scala",), "scala"),
    "shell": Toolchain("a.sh", ("bash a.sh",), "bash"),
    "d": Toolchain("a.d", ("gdc -funittest -o a a.d", "./a"), "gdc"),
    "typescript": Toolchain(
        # type errors are no failure: they do not change what a program returns
        "a.ts",
        ("tsc --target es2020 --lib es2021 a.ts || true", "node a.js"),
        "node-typescript",
    ),
}
"""Languages that deskcheck can run, with toolchains of Debian; Debian has none for Julia and Swift."""


def check_foreign(language: str) -> None:
    """Raise UserError if the language is not supported, or its toolchain or bubblewrap is not installed."""
    if language not in TOOLCHAINS:
        raise UserError(f"run_foreign: no toolchain for {language}; choose one of: {', '.join(TOOLCHAINS)}")
    tool = TOOLCHAINS[language]
    needed = ["bwrap", *(command.split()[0] for command in tool.commands)]
    missing = [name for name in needed if not name.startswith("./") and shutil.which(name) is None]
    missing += [tool.library] if tool.library and not Path(tool.library).exists() else []
    if missing:
        install = f"apt-get install bubblewrap {tool.package}"
        raise UserError(f"run_foreign: {', '.join(missing)} not found; on Debian: {install}")


def run_all_foreign(sources: Iterable[str], language: str, *, workers: int = 2) -> Iterator[str]:
    """Run each program with `run_foreign` and yield the results in the order of the sources.

    UserError as from `check_foreign` and `run_foreign`.
    """
    check_foreign(language)
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(lambda source: run_foreign(source, language), sources)


def run_foreign(source: str, language: str) -> str:
    """Run a program. Return "" if it ended with status 0, else "time limit" or "exit status N: REASON".

    `language` is a name in TOOLCHAINS. UserError if bubblewrap cannot start.
    """
    tool = TOOLCHAINS[language]
    with tempfile.TemporaryDirectory(prefix="deskcheck-foreign-") as folder:
        Path(folder, tool.file).write_text(source, encoding="utf-8", errors="replace")
        try:
            completed = subprocess.run(
                ["bwrap", *_bwrap_options(Path(folder)), "sh", "-c", _script(tool)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=TIME_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "time limit"
    if completed.returncode and completed.stderr.startswith(b"bwrap:"):
        reason = completed.stderr.decode(errors="replace").strip()[:200]
        raise UserError(
            f"run_foreign: bubblewrap could not start ({reason}), so the program was not run; check that "
            "this machine allows user namespaces"
        )
    if not completed.returncode:
        return ""
    last_line = completed.stderr.decode(errors="replace").strip().rpartition("\n")[2].strip()
    return f"exit status {completed.returncode}" + (f": {last_line[:120]}" if last_line else "")


def _script(tool: Toolchain) -> str:
    # Limit data (-d), not address space (-v): Java, JavaScript and Go reserve far more than they use.
    limits = f"ulimit -d {MEMORY_KB} && ulimit -p {MAX_PROCESSES} && ulimit -f {FILE_BYTES // 512}"
    return f"{limits} && cp /given/* . && {' && '.join(tool.commands)}"


def _bwrap_options(folder: Path) -> list[str]:
    """Return options of bubblewrap: system folders to read, and an empty folder in memory to work in."""
    programs = ("/usr", "/bin", "/lib", "/lib64", "/etc/alternatives")
    settings = ("/etc/java-17-openjdk", "/etc/R", "/etc/php", "/etc/ssl", "/etc/mono", "/etc/racket")
    existing = [path for path in (*programs, *settings) if Path(path).exists()]
    mounts = [option for path in existing for option in ("--ro-bind", path, path)]
    return [
        "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv",
        "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "HOME", "/home",
        "--setenv", "LANG", "C.UTF-8", "--setenv", "MONO_TRACE_LISTENER", "Console.Error",
        "--setenv", "JDK_JAVA_OPTIONS", "-Xmx2g",  # else the heap grows with the memory of the machine
        *mounts, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/home",
        "--ro-bind", str(folder), "/given", "--chdir", "/home",
    ]  # fmt: skip
