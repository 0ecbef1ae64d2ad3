"""cwm: Meta's Code World Model predicts the whole trace in its own format.

    Task -> one Prompt: "<|trace_context_start|>" and the program, the call as `main`
    -> frames, the last of them <|return_sep|><|action_sep|>    return f(3)<|arg_sep|>"6"<|frame_sep|>

The last frame is the answer. Source: PROMPTING_GUIDE.md of github.com/facebookresearch/cwm; the full-trace
mode of its CRUXEval evaluation (87.7 % right in arXiv 2510.02387). The prompt is raw text with the model's
reserved tokens, so it needs a completions endpoint (for example Inspect's vllm-completions, at `--base-url`),
not one with a chat template.
"""

from __future__ import annotations

from deskcheck.grading.verdict import extract_answer
from deskcheck.layouts.cwm import context, read_frames
from deskcheck.records import Answer, Completion, Message, NoAnswer, Prompt, Rollout, Task
from deskcheck.strategies import Ask, Settings
from deskcheck.turns import derived

END = "<|end_of_text|>"
MAX_TOKENS = 8192
FITS = derived.ENDS
WHY = "a frame holds the text of a line and not its number, so only the end of the run is read off it"
PYTHON = "the model was trained on runs of Python"
SETTINGS: frozenset[str] = frozenset()
TRAINED = True
RAW = True
MODEL = "vllm-completions/facebook/cwm"
ONE_REQUEST = True


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the only prompt of the rollout."""
    return Prompt([Message("user", context(task.program))], max_tokens=MAX_TOKENS, stop=[END])


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask one question and read its answer."""
    completion = await ask(opening(task, settings))
    answer = derived.derived(task, [], read_answer(completion))
    return Rollout(answer, [completion], completion.text.split("<|frame_sep|>")[:-1])


def read_answer(completion: Completion) -> Answer | NoAnswer:
    """Return the end of main: the value of its return, or the exception that leaves it."""
    if completion.finish_reason == "length":
        return NoAnswer("truncated", f"cut after {completion.n_tokens_out} tokens")
    try:
        frames = list(read_frames(completion.text))
    except (ValueError, RecursionError) as error:
        return NoAnswer("unparsable", str(error))
    if not frames or frames[-1][0] not in ("return", "exception"):
        return NoAnswer("unparsable", "the last frame neither returns nor raises")
    kind, _, value = frames[-1]
    text = value if kind == "return" else f"raises {value.partition('(')[0]}"
    return extract_answer(Completion(f"[ANSWER]{text}[/ANSWER]", "stop"))
