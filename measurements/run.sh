#!/usr/bin/env bash
# The main job on what ships with deskcheck: the shipped model executes programs and is scored.
#   measurements/run.sh          what `make run` does: within 10 minutes on two cores
#   measurements/run.sh --long   what `make run-long` does: every strategy on everything, no cap to speak of
# Run again, it goes on where it stopped: what was answered is kept in runs/.
set -euo pipefail
cd "$(dirname "$0")/.."

# A chain that is not over after so many steps counts as "no answer: budget". Fixed here, never from the truth.
cap=60
# Chains of long are what the model was trained for: room for all of them.
chain_cap=150
first=(--limit 30)
# The first 60 problems of core; all 188 take 15 minutes.
part=(-T version=1)
others=(--strategy scratchpad --strategy compact)
folder=runs/quick
if [ "${1:-}" = --long ]; then
    cap=5000
    chain_cap=5000
    first=()
    part=()
    folder=runs/long
fi
small=$(printf 'collatz-%d,' {1..20}; printf 'counter-%d,' {1..20}; printf 'fibonacci-%d,' {1..20})
mkdir -p "$folder"

echo "== one easy program, step by step: what it does, then what the model believes"
deskcheck trace examples/easy.py --call "f(3, [5])"
deskcheck execute examples/easy.py --call "f(3, [5])" --model tiny --max-steps "$cap"
echo
echo "== one long program, step by step"
deskcheck execute examples/collatz.py --call "f(27)" --model tiny --max-steps 600
echo
echo "== core${part:+, its first 60 problems}: 'direct' stands for asking at once, 'line-1' for asking line by line"
deskcheck eval --model tiny --benchmark core "${part[@]}" --strategy direct --strategy line-1 \
    --max-steps "$cap" \
    --log-dir "$folder/core" --json "$folder/core.json"
echo
echo "== core, the other layouts${first:+ on its first 30 tasks}"
deskcheck eval --model tiny --benchmark core "${part[@]}" "${others[@]}" "${first[@]}" \
    --log-dir "$folder/core" --json "$folder/layouts.json"
echo
echo "== long: Collatz, binary counter and Fibonacci on inputs 1 to 20, programs seen in training, inputs not"
deskcheck eval --model tiny --benchmark long --strategy line-1 --ids "${small%,}" --max-steps "$chain_cap" \
    --log-dir "$folder/long" --json "$folder/long.json"
echo
echo "== easy: held-out programs of the kind that the model was trained on"
deskcheck eval --model tiny --benchmark easy --limit 100 --strategy direct --strategy line-1 \
    --log-dir "$folder/easy" --json "$folder/easy.json" --report "$folder/easy.html"
deskcheck report "$folder/core" --out "$folder/report.html"
