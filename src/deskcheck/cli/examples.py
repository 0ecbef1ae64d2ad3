"""How commands are grouped in the help, and examples of each; `tests/cli` runs what needs nothing more.

A command that is not named here fails a test, so that none is without an example.
"""

from __future__ import annotations

GROUPS = {
    "Begin here": ["demo"],
    "Record programs and look at them": ["trace", "view", "data"],
    "Evaluate models": ["eval", "study", "grade", "compare", "report", "execute", "downstream"],
    "Build data and train": ["build", "train", "export"],
    "This machine": ["doctor"],
}

EXAMPLES = {
    "demo": ["deskcheck demo", "deskcheck demo --no-open --out demo.html"],
    "trace": [
        'deskcheck trace examples/collatz.py --call "f(3)"',
        "deskcheck trace script.py -- --verbose input.txt",
        "deskcheck trace -c 'print(sum(range(4)))'",
        "deskcheck trace --trust script.py < input.txt",
    ],
    "view": ['deskcheck view examples/collatz.py --call "f(3)" --out run.html'],
    "data": ["deskcheck data data/easy --show 1"],
    "eval": [
        "deskcheck eval --model tiny --benchmark easy --strategy line-1 --limit 20",
        "deskcheck eval --model openai/gpt-4o --benchmark core --strategy cot --dry-run",
    ],
    "study": ["deskcheck study study.toml --report study.html"],
    "grade": [
        "deskcheck grade --benchmark cruxeval --data cruxeval.jsonl --generations saved.json",
        "deskcheck grade --benchmark humaneval --data HumanEval.jsonl --samples samples.jsonl",
    ],
    "compare": ["deskcheck compare logs:strategy=cot logs:strategy=vanilla"],
    "report": ["deskcheck report logs --out report.html"],
    "execute": ['deskcheck execute examples/collatz.py --call "f(27)" --model tiny --max-steps 500'],
    "downstream": ["deskcheck downstream openai/a openai/b --tasks humaneval,gsm8k"],
    "build": [
        "deskcheck build generated --family easy --n 1000 --out data/easy",
        'deskcheck build files examples/easy.py --call "f(3, [5])" --out data/own',
    ],
    "train": [
        "deskcheck train --preset tiny --out runs/tiny",
        "deskcheck train --model Qwen/Qwen2.5-Coder-0.5B --data data/own --out runs/qwen --set lora=16",
    ],
    "export": ["deskcheck export runs/tiny --out model"],
    "doctor": ["deskcheck doctor"],
}
