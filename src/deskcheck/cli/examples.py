"""Groups of the commands in the help, examples of each command, and the exit codes.

`tests/cli` runs the examples that need no network. A command without a group or an example fails a test.
"""

from __future__ import annotations

COMMON = ("demo", "trace", "view", "eval", "grade", "compare", "report", "build", "train", "doctor")
"""Commands that the help lists; `--help --all` lists every one."""

GROUPS = {
    "Begin here": ["demo"],
    "Record programs and look at them": ["trace", "view", "ask", "diff", "explain", "mcp", "data"],
    "Evaluate models": [
        "eval",
        "study",
        "grade",
        "compare",
        "table",
        "push",
        "prompts",
        "merge",
        "report",
        "execute",
        "downstream",
    ],
    "Build data and train": ["build", "train", "export"],
    "This machine": ["doctor", "validate"],
    "Add to deskcheck": ["new"],
}

EXAMPLES = {
    "demo": ["deskcheck demo", "deskcheck demo --out demo.html"],
    "trace": [
        'deskcheck trace examples/collatz.py --call "f(3)"',
        "deskcheck trace script.py -- --verbose input.txt",
        "deskcheck trace -c 'print(sum(range(4)))'",
        "deskcheck trace --trust script.py < input.txt",
    ],
    "view": ['deskcheck view examples/collatz.py --call "f(3)" --out run.html'],
    "ask": [
        'deskcheck ask examples/collatz.py why steps --call "f(3)"',
        'deskcheck ask examples/collatz.py "where n >= 10" --call "f(3)"',
    ],
    "diff": [
        'deskcheck diff examples/collatz.py --call "f(3)" --call "f(20)"',
        'deskcheck diff examples/collatz.py --call "f(3)" --call "f(20)" --out two.html',
    ],
    "explain": ['deskcheck explain examples/collatz.py --call "f(3)" --expect 8'],
    "mcp": ["deskcheck mcp", "deskcheck mcp src"],
    "data": ["deskcheck data data/easy --show 1"],
    "eval": [
        "deskcheck eval --model tiny --benchmark easy --strategy direct --strategy sub --limit 20",
        "deskcheck eval --model openai/gpt-4o --benchmark core --strategy cot --dry-run",
    ],
    "study": [
        "deskcheck study examples/study.toml",
        "deskcheck study execution-tuning --model tiny --benchmark long --limit 2",
        "deskcheck study code-executors --print > mine.toml",
    ],
    "table": [
        "deskcheck table logs --format latex --out results.tex",
        "deskcheck table logs:strategy=sub --as leaderboard --out leaderboard.html",
        "deskcheck table mine=graded.parquet logs --as code-executors --figures figures",
    ],
    "prompts": ["deskcheck prompts --benchmark core --strategy cot --limit 20 --out prompts.jsonl"],
    "merge": ["deskcheck merge logs/1 logs/2 --out all.parquet"],
    "push": [
        "deskcheck push logs --out dataset",
        "deskcheck push --benchmark fresh -T seed=20261120 -T n=200 --to me/fresh",
    ],
    "grade": [
        "deskcheck grade --benchmark cruxeval --data examples/answers/tasks.jsonl "
        "--generations examples/answers/jsonl.jsonl --out graded.parquet",
        "deskcheck grade --benchmark humaneval --data examples/answers/humaneval/problems.jsonl "
        "--task solution --generations examples/answers/humaneval/samples.jsonl",
    ],
    "compare": ["deskcheck compare logs:strategy=sub logs:strategy=direct"],
    "report": ["deskcheck report logs --out report.html"],
    "execute": ['deskcheck execute examples/collatz.py --call "f(27)" --strategy sub --max-steps 500'],
    "downstream": ["deskcheck downstream openai/a openai/b --tasks humaneval,gsm8k"],
    "build": [
        "deskcheck build generated --family easy --n 1000 --out data/easy",
        'deskcheck build files examples/easy.py --call "f(3, [5])" --out data/own',
    ],
    "train": [
        "deskcheck train --preset tiny --out runs/tiny",
        "deskcheck train --model Qwen/Qwen2.5-Coder-0.5B --data data/easy --out runs/qwen --set lora=16",
    ],
    "export": ["deskcheck export runs/tiny --out model"],
    "doctor": ["deskcheck doctor"],
    "validate": ["deskcheck validate core rewards"],
    "new": ["deskcheck new benchmark maps", "deskcheck new strategy two-steps --layout line-1"],
}

CODES = {
    0: ("done", "everything that was asked for is done"),
    1: ("incomplete", "finished, but something failed or was never asked"),
    2: ("usage", "the command cannot be done as it was typed; one line says what to change"),
    70: ("defect", "a fault of deskcheck's own; please report it"),
    130: ("interrupted", "Ctrl-C; what was finished is kept"),
}
"""Exit code -> its name and meaning; `trace` can also end with the exit code of the program."""
