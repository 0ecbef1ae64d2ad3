#!/usr/bin/env bash
# The fidelity programs, the watched programs and the laws under AddressSanitizer, or with --valgrind under valgrind.
#   tests/tracing/sanitized.sh [--valgrind] [python]        from the repository's root; nothing in the tree changes
# The extension is built anew into a copy; leaks are not looked for here (the interpreter has its own): test_memory.py.
set -euo pipefail
tool=asan
if [ "${1:-}" = --valgrind ]; then
    tool=valgrind
    shift
fi
python=${1:-python3}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r src tests setup.py pyproject.toml README.md LICENSE "$copy"
cd "$copy"
find src -name '*.so' -delete
tests=(tests/tracing/test_{fidelity,replay_is_live,granularity,stream}.py)
if [ $tool = asan ]; then
    CFLAGS="-fsanitize=address -fno-omit-frame-pointer -g -O1" "$python" setup.py -q build_ext --inplace
    LD_PRELOAD=$("${CC:-gcc}" -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc \
        PYTHONPATH=src:. "$python" -m pytest -q -s -x -p no:cacheprovider -p no:xdist "${tests[@]}" -k 'not fallback'
else
    CFLAGS="-g -O1" "$python" setup.py -q build_ext --inplace
    # glibc compares wide characters 32 bytes at a time, beyond the end; valgrind knows memcmp, not wmemcmp.
    for size in 16 32; do printf '{\n  wmemcmp\n  Memcheck:Addr%s\n  fun:__wmemcmp*\n}\n' $size; done > known.supp
    PYTHONMALLOC=malloc PYTHONPATH=src:. valgrind -q --error-exitcode=9 --undef-value-errors=no --suppressions=known.supp \
        "$python" -m pytest -q -p no:cacheprovider -p no:xdist tests/tracing/test_fidelity.py -k 'native and not thrclosure'
fi
echo "$tool: nothing found"
