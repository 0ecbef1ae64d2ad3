#!/usr/bin/env bash
# The main job on what ships with deskcheck: the shipped model executes programs and is scored.
#   measurements/run.sh          what `make run` does: minutes on two cores
#   measurements/run.sh --long   what `make run-long` does: every strategy on everything, no cap to speak of
# What the model can do comes first, its limits after; two pages are left in the folder.
# Run again, it goes on where it stopped: what was answered is kept in runs/.
set -euo pipefail
cd "$(dirname "$0")/.."

# A chain that is not over after so many steps counts as "no answer: budget". Fixed here, never from the truth.
cap=60
# Chains of long are what the model was trained for: room for all of them.
chain_cap=150
# Version 1 of core has 180 calls, version 3 has 870: the first 20 take minutes.
part=(-T version=1 --limit 20)
folder=runs/quick
inputs=2
classic_cap=150
if [ "${1:-}" = --long ]; then
    cap=5000
    chain_cap=5000
    part=()
    folder=runs/long
    inputs=10
    classic_cap=5000
fi
logs="$folder/logs"
small=$(printf 'collatz-%d,' {1..20}; printf 'counter-%d,' {1..20}; printf 'fibonacci-%d,' {1..20})
textbook=
for file in src/deskcheck/benchmarks/classic_programs/*.py; do
    program=$(basename "$file" .py | cut -c4-)
    textbook+=$(printf "$program:%d," $(seq "$inputs"))
done
mkdir -p "$folder"

echo "== one long program, step by step"
deskcheck demo --out "$folder/demo.html"
echo
echo "== long: Collatz, binary counter and Fibonacci on inputs 1 to 20, programs seen in training, inputs not"
deskcheck eval --model tiny --benchmark long --strategy line-1 --filter "id=${small%,}" --max-steps "$chain_cap" \
    --log-dir "$logs" --json "$folder/long.json"
echo
echo "== easy: held-out programs of the kind that the model was trained on; 'direct' asks for the result at once,"
echo "   'sub' for the operations of each line and what they change"
deskcheck eval --model tiny --benchmark easy --limit 100 --strategy direct --strategy sub \
    --log-dir "$logs" --json "$folder/easy.json"
echo
echo "== classic: textbook programs that no generator of training data writes, the first ${inputs} of ten inputs of each"
deskcheck eval --model tiny --benchmark classic --strategy sub --filter "id=${textbook%,}" --max-steps "$classic_cap" \
    --log-dir "$logs" --json "$folder/classic.json"
echo
echo "== core, problems written by hand${part:+, the first 20 calls}"
deskcheck eval --model tiny --benchmark core "${part[@]}" --strategy direct --strategy sub \
    --max-steps "$cap" --log-dir "$logs" --json "$folder/core.json"
echo
deskcheck report "$logs" --out "$folder/report.html"
echo "every step of the long program, belief beside truth: $PWD/$folder/demo.html"
echo "all that was asked, with intervals: $PWD/$folder/report.html"
