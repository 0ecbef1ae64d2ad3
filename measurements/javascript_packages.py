"""Run modules of npm packages with and without probes: do they print the same?

    python measurements/javascript_packages.py FOLDER [--n 60] [--seed 49]

FOLDER holds `node_modules` with PACKAGES, as `npm i --ignore-scripts` of `--list` puts them there. Modules
are drawn by seed, from each package in turn. A module and all that it requires become one script, which calls
every exported function with drawn arguments and prints what each returns or throws. The script runs twice in
the contained engine, plain and instrumented. Needs the extra `javascript`.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from pathlib import Path

from msgspec.structs import replace

from deskcheck.languages.javascript.engine import Engine
from deskcheck.languages.javascript.tracer import request_of, trace_in
from deskcheck.languages.javascript.worker import Reply
from deskcheck.records import Limits
from deskcheck.sandbox import containment
from deskcheck.tracing.program import SCRIPT, make_program

PACKAGES = {
    "lodash": "4.17.21", "ramda": "0.30.1", "validator": "13.12.0", "date-fns": "3.6.0", "semver": "7.6.3",
    "underscore": "1.13.7", "bignumber.js": "9.1.2", "qs": "6.13.0", "color-convert": "2.0.1",
    "fraction.js": "4.3.7",
}  # fmt: skip
LIMITS = Limits(max_steps=400_000, time_s=300.0, trace_bytes=256 << 20, memory_bytes=512 << 20)
MOST_BYTES = 600_000
"""Largest script; a module that requires more is not drawn."""
_REQUIRE = re.compile(r"\brequire\(\s*(['\"])([^'\"]+)\1\s*\)")
_LEFT_OUT = re.compile(
    r"(^|/)(test|tests|dist|es|esm|fp|locale|docs|bin|build|amd|_lib/test)(/|$)|\.min\.js$|\.mjs$"
)
_DRIVER = r"""
let seed = SEED;
const draw = () => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648; };
const pool = [0, 1, -3, 2.5, 'a', 'Hello World', '1.2.3', '2024-02-29', '', true, null, undefined, [1, 2, 3],
  ['b', 'a'], [[1, 'x'], [2, 'y']], {a: 1, b: {c: [2]}}, {}, (x) => x, (a, b) => a + b, 10, '#ff0000',
  new Date(0), /a+/g, new Map([[1, 2]]), NaN, [255, 0, 10], 'a=1&b[]=2'];
function show(v, depth = 0) {
  if (typeof v === 'function') return 'function';
  if (typeof v !== 'object' || v === null) return Object.is(v, -0) ? '-0' : String(v);
  if (depth > 3) return '..';
  if (v instanceof Date) return 'Date ' + +v;
  if (Array.isArray(v)) return '[' + Array.from(v, (x) => show(x, depth + 1)).slice(0, 20).join() + ']';
  if (v instanceof Map || v instanceof Set) return show([...v], depth);
  return '{' + Object.keys(v).slice(0, 20).map((k) => k + ':' + show(v[k], depth + 1)).join() + '}';
}
function ask(name, f, self) {
  for (let k = 0; k < 6; k++) {
    const n = Math.floor(draw() * 4);
    const args = Array.from({length: n}, () => pool[Math.floor(draw() * pool.length)]);
    let text;
    try { text = show(f.apply(self, args)); }
    catch (e) { text = 'throws ' + (e && e.name) + ' ' + (e && e.message); }
    console.log(name, k, text.slice(0, 300));
  }
}
const whole = $load(START);
if (typeof whole === 'function') ask('default', whole, undefined);
for (const key of Object.keys(Object(whole)).slice(0, 25)) {
  if (typeof whole[key] === 'function') ask(key, whole[key], whole);
}
"""


def modules_of(package: Path) -> list[Path]:
    """Return the CommonJS modules of a package, in order."""
    files = sorted(
        path for path in package.rglob("*.js") if "node_modules" not in path.relative_to(package).parts
    )
    files += sorted(package.rglob("*.cjs"))
    return [
        path
        for path in files
        if not _LEFT_OUT.search(path.relative_to(package).as_posix())
        and not re.search(r"^(import|export)\b", path.read_text(encoding="utf-8", errors="replace"), re.M)
    ]


def resolved(name: str, path: Path, root: Path) -> Path | None:
    """Return the file that a `require` in a file names; None for a module of the engine or none at all."""
    start = path.parent / name if name.startswith(".") else root / name
    tries = [
        start,
        start.with_name(start.name + ".js"),
        start.with_name(start.name + ".cjs"),
        start / "index.js",
    ]
    if not name.startswith(".") and (start / "package.json").is_file():
        main = json.loads((start / "package.json").read_text(encoding="utf-8")).get("main", "index.js")
        tries += [start / main, start / f"{main}.js"]
    return next((one for one in tries if one.is_file()), None)


def bundled(start: Path, root: Path, seed: int) -> str:
    """Return one script of a module and all that it requires, with the calls of its functions."""
    parts: dict[str, str] = {}
    waiting = [start]
    while waiting:
        path = waiting.pop()
        key = path.relative_to(root).as_posix()
        if key in parts:
            continue
        source = path.read_text(encoding="utf-8", errors="replace").removeprefix("\ufeff")
        names = {}
        for _, name in _REQUIRE.findall(source):
            target = resolved(name, path, root)
            if target is not None:
                names[name] = target.resolve().relative_to(root).as_posix()
                waiting.append(target.resolve())
        body = f"module.exports = {source}" if path.suffix == ".json" else source
        parts[key] = f"[{json.dumps(names)}, function (module, exports, require) {{\n{body}\n}}]"
        if sum(map(len, parts.values())) > MOST_BYTES:
            raise ValueError("too large")
    table = ",\n".join(f"{json.dumps(key)}: {part}" for key, part in parts.items())
    load = (
        "const $cache = {};\nfunction $load(id) {\n  if ($cache[id]) return $cache[id].exports;\n"
        "  const [names, f] = $modules[id], module = $cache[id] = {exports: {}};\n"
        "  const inner = (name) => (names[name] ? $load(names[name]) : require(name));\n"
        "  f.call(module.exports, module, module.exports, inner);\n"
        "  return module.exports;\n}\n"
    )
    driver = _DRIVER.replace("SEED", str(seed)).replace(
        "START", json.dumps(start.relative_to(root).as_posix())
    )
    return f"const $modules = {{{table}}};\n{load}{driver}"


def drawn(root: Path, n: int, seed: int) -> list[tuple[str, str]]:
    """Return name and script of `n` modules, from each package in turn."""
    rng = random.Random(seed)
    pools = []
    for name in PACKAGES:
        found = modules_of(root / name)
        rng.shuffle(found)
        pools.append(found)
    scripts: list[tuple[str, str]] = []
    while len(scripts) < n and any(pools):
        for pool in pools:
            while pool and len(scripts) < n:
                path = pool.pop()
                try:
                    scripts.append(
                        (path.relative_to(root).as_posix(), bundled(path.resolve(), root, len(scripts) + 1))
                    )
                except ValueError:
                    continue
                break
    return scripts


def main() -> None:
    """Print a line for each module, then the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=".")
    parser.add_argument("--n", type=int, default=60)
    parser.add_argument("--seed", type=int, default=49)
    parser.add_argument("--list", action="store_true", help="print the packages for npm")
    given = parser.parse_args()
    if given.list:
        print(" ".join(f"{name}@{version}" for name, version in PACKAGES.items()))
        return
    agree = steps = lines = 0
    scripts = drawn((Path(given.folder) / "node_modules").resolve(), given.n, given.seed)
    used = time.process_time()
    with Engine(level=containment.find().level, limits=LIMITS) as engine:
        for name, source in scripts:
            program = make_program(source, SCRIPT, "", origin=name, language="javascript")
            plain = engine.run(replace(request_of(program, LIMITS), is_plain=True), time_s=LIMITS.time_s)
            run = trace_in(engine, program, LIMITS)
            if not isinstance(plain, Reply):
                print(f"{name}: plain ends as {plain}")
                continue
            report = json.loads(plain.report)
            printed = "".join(text for _, _, text in report["output"])
            ended = type(run.packed.outcome).__name__.lower()
            same = run.output.decode() == printed and report["state"] == ended
            agree += same
            steps += run.packed.n_steps
            lines += printed.count("\n")
            notes = "; ".join(run.packed.head.fidelity.notes)
            verdict = "same" if same else "DIFFERENT"
            print(f"{name}: {verdict}, {run.packed.n_steps:,} steps, {report['state']} {ended} {notes}")
    packages = len({name.split("/")[0] for name, _ in scripts})
    print(
        f"{agree} of {len(scripts)} modules of {packages} packages print the same: "
        f"{lines:,} lines, {steps:,} steps, {time.process_time() - used:.0f} s here"
    )
    sys.exit(agree != len(scripts))


if __name__ == "__main__":
    main()
