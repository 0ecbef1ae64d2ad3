"""Training tokens a second on this machine, by size: rows of 512, forward, backward and AdamW, bf16.

    python benchmarks/training.py [threads]        needs the extra `train`; it says so where that is missing

A plain loop without data and logging: what TRL around it costs is the difference to `deskcheck train`.
"""

from __future__ import annotations

import statistics
import sys
import time

ROWS, LENGTH, STEPS = 4, 512, 5


def main() -> None:
    try:
        import torch

        from deskcheck.training.network import build_model
        from deskcheck.training.presets import PRESETS
    except ImportError as error:
        print(f"not run: {error.name} is missing (pip install 'deskcheck[train]')")
        return
    torch.set_num_threads(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
    for preset in PRESETS.values():
        model = build_model(preset.shape, seed=0)
        optimiser = torch.optim.AdamW(model.parameters())
        ids = torch.randint(3, preset.shape.vocabulary, (ROWS, LENGTH))
        mask = torch.ones(ROWS, 1, LENGTH, LENGTH, dtype=torch.bool).tril()
        times_s = []
        for _ in range(STEPS + 1):
            start = time.perf_counter()
            with torch.autocast("cpu", torch.bfloat16, enabled=preset.bf16):
                loss = model(input_ids=ids, labels=ids, attention_mask=mask).loss
            loss.backward()
            optimiser.step()
            optimiser.zero_grad()
            times_s.append(time.perf_counter() - start)
        n = sum(p.numel() for p in model.parameters())
        rate = ROWS * LENGTH / statistics.median(times_s[1:])
        print(f"{preset.name:10} {n:>10,} parameters  {rate:>8,.0f} tokens/s")


if __name__ == "__main__":
    main()
