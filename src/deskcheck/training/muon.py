"""Provide the optimizer Muon, in the number format that is faster on this processor, together with AdamW.

    MuonAndAdamW(model, optimiser)      one learning rate, one `step`, one state for a checkpoint

torch's Muon computes in bfloat16, matrix by matrix. On a processor without a unit for bfloat16, an update
then takes as long as the whole pass through the network. Here, matrices of one shape are stacked into one
product, in fp32 on a processor without such a unit. A test compares every update with torch's.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import torch

from deskcheck.training.presets import Optimiser

COEFFICIENTS = (3.4445, -4.775, 2.0315)
"""Coefficients of the quintic iteration: Jordan 2024, https://kellerjordan.github.io/posts/muon/"""
N_ITERATIONS = 5
"""Number of these iterations in an update."""
MOMENTUM = 0.95
SMALLEST_NORM = 1e-7
"""Norm that a smaller one is replaced by, since matrices are divided by their norms."""


def precision(device: torch.device) -> torch.dtype:
    """Return bfloat16 if the hardware multiplies it, else fp32; the same for every attempt at a run."""
    if device.type != "cpu":
        return torch.bfloat16
    known = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return torch.bfloat16 if known.get("avx512_bf16") or known.get("amx_bf16") else torch.float32


def orthogonalized(matrices: torch.Tensor) -> torch.Tensor:
    """Bring the singular values of matrices (n, rows, columns) near 1, by Newton and Schulz's iteration."""
    a, b, c = COEFFICIENTS
    is_tall = matrices.shape[1] > matrices.shape[2]
    x = matrices.mT if is_tall else matrices  # (n, short side, long side)
    x = x.to(precision(x.device))
    x = x / x.norm(dim=(1, 2), keepdim=True).clamp(min=SMALLEST_NORM)
    for _ in range(N_ITERATIONS):
        gram = x @ x.mT  # (n, short side, short side)
        x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.mT if is_tall else x


class Muon(torch.optim.Optimizer):  # type: ignore[misc]  # mypy skips torch
    """Muon with Nesterov's momentum; an update has the size that AdamW's would have (arXiv 2502.16982)."""

    def __init__(self, matrices: list[torch.nn.Parameter], *, lr: float, weight_decay: float) -> None:
        super().__init__(matrices, {"lr": lr, "weight_decay": weight_decay})

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def step(self, closure: Any = None) -> None:
        """Update every matrix that has a gradient."""
        for group in self.param_groups:
            by_shape: dict[torch.Size, list[torch.nn.Parameter]] = defaultdict(list)
            for matrix in group["params"]:
                if matrix.grad is not None:
                    by_shape[matrix.shape].append(matrix)
            for shape, matrices in by_shape.items():
                updates = orthogonalized(torch.stack(self._moved(matrices)))
                rate = group["lr"] * 0.2 * math.sqrt(max(shape))
                torch._foreach_mul_(matrices, 1 - group["lr"] * group["weight_decay"])
                torch._foreach_add_(matrices, list(updates.to(torch.float32)), alpha=-rate)

    def _moved(self, matrices: list[torch.nn.Parameter]) -> list[torch.Tensor]:
        """Add the gradients to the momenta; return the gradients with Nesterov's momentum.

        All matrices are handled together: one by one, a GPU would spend its time on launching small products.
        """
        gradients = [matrix.grad for matrix in matrices]
        for matrix in matrices:
            if not self.state[matrix]:
                self.state[matrix]["momentum_buffer"] = torch.zeros_like(matrix)
        momenta = [self.state[matrix]["momentum_buffer"] for matrix in matrices]
        torch._foreach_lerp_(momenta, gradients, 1 - MOMENTUM)
        moved: list[torch.Tensor] = torch._foreach_lerp(gradients, momenta, MOMENTUM)
        return moved


def adamw(model: Any, wanted: Optimiser, *, beside_muon: bool = False) -> torch.optim.Optimizer:
    """Make AdamW as transformers does: norms have no weight decay.

    `beside_muon`: leave out the matrices that Muon updates.
    """
    own = [p for name, p in model.named_parameters() if not (beside_muon and _is_for_muon(name, p))]
    decays = [p for p in own if p.ndim > 1]
    others = [p for p in own if p.ndim <= 1]
    groups = [
        {"params": decays, "weight_decay": wanted.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=wanted.learning_rate, betas=(0.9, wanted.beta2), fused=True)


def _is_for_muon(name: str, parameter: torch.Tensor) -> bool:
    """Whether a parameter is a matrix between hidden values; an embedding's rows have separate gradients."""
    return parameter.ndim == 2 and "embed" not in name and "lm_head" not in name


class MuonAndAdamW:
    """Muon for the matrices, AdamW for the embedding and the norms, with one rate.

    It has the interface of one optimizer of torch, as far as the training loop uses it.
    """

    def __init__(self, model: Any, wanted: Optimiser) -> None:
        matrices = [p for name, p in model.named_parameters() if _is_for_muon(name, p)]
        self.parts = (
            Muon(matrices, lr=wanted.learning_rate, weight_decay=wanted.weight_decay),
            adamw(model, wanted, beside_muon=True),
        )
        self.param_groups = [group for part in self.parts for group in part.param_groups]

    def step(self) -> None:
        """Run one step of both optimizers."""
        for part in self.parts:
            part.step()

    def zero_grad(self) -> None:
        """Clear the gradients of both optimizers."""
        for part in self.parts:
            part.zero_grad()

    def state_dict(self) -> dict[str, Any]:
        """Return the state of both optimizers, for a checkpoint."""
        return {str(number): part.state_dict() for number, part in enumerate(self.parts)}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Restore the state that `state_dict` gave."""
        for number, part in enumerate(self.parts):
            part.load_state_dict(state[str(number)])
        self.param_groups = [group for part in self.parts for group in part.param_groups]
