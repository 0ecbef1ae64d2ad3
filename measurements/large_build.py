"""Functions of the standard library and of many PyPI packages in one build: how many become executable.

    pip download --no-deps --only-binary :all: --platform any --abi none --implementation py \\
        -r measurements/large_build.txt -d WHEELS
    python measurements/large_build.py WHEELS --out DIR [--workers N]

The wheels come first, in the order of their names, then the standard library. The same command goes on after
a stop. Prints the dataset's card.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from deskcheck.dataset.command import card


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("wheels", type=Path, nargs="?", help="folder of the wheels")
    parser.add_argument("--out", type=Path, help="folder of the dataset")
    parser.add_argument("--workers", type=int, default=0)
    options = parser.parse_args()
    if options.wheels is None or options.out is None:
        print("not run: name the folder of the wheels, and --out; some 45 minutes of two cores")
        return
    wheels = sorted(map(str, options.wheels.glob("*.whl")))
    if not wheels:
        sys.exit(f"{options.wheels} holds no wheel")
    command = [
        sys.executable,
        "-m",
        "deskcheck",
        "build",
        "functions",
        ",".join([*wheels, "python"]),
        "--out",
        str(options.out),
    ]
    if options.workers:
        command += ["--workers", str(options.workers)]
    done = subprocess.run(command, check=False)
    if not done.returncode:
        print(card(options.out))
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
