"""The classes of deskcheck under a name of their own, as verifiers 0.4 looks for them."""

from deskcheck.rewards.taskset import DeskcheckEnv, DeskcheckHarness, DeskcheckTaskset

__all__ = ["DeskcheckEnv", "DeskcheckHarness", "DeskcheckTaskset"]
