"""Wording of the chain of thought, for the strategies `cot` and `self-consistency`."""

from __future__ import annotations

HOW = {
    "en": """\
Work through the execution step by step: for each line that runs, say which it is and how variables change.
Then write {form} between [ANSWER] and [/ANSWER].""",
    "zh": """\
请逐步推演执行过程：对每一行被执行的代码，说明是哪一行以及变量如何变化。
然后给出{form}，并放在 [ANSWER] 和 [/ANSWER] 之间。""",
}

# CRUXEval allows 1,000 tokens, which cuts the reasoning about long runs; a cut answer counts as truncated.
MAX_TOKENS = 4096
