"""Strategies: each file turns a task into prompts and the replies into a rollout (`Rollout`).

    await vanilla.run(task, ask, Settings()) -> Rollout

A strategy file states

- `FITS`: the kinds of question it can ask: ANY, or a set of names; `WHY`: the reason for refusing the others,
- `SETTINGS`: the fields of `Settings` that it reads; `STATEMENT_LANGUAGES` if it asks in more than English,
- `refusal(kind, settings) -> str`, optional: the reason why it cannot ask this kind with these settings,
- `estimate(task, settings, first) -> list[int]`, optional: the tokens of every request of a rollout, from
  those of the first,
- `PYTHON`: the reason why it asks about programs in Python alone, or `python_by_settings(settings)` that
  returns it; `PARTS`: parts of a language that it reads, beside those that every step strategy reads,
- `RAW`: True if the prompt is raw text for a completions endpoint, not a chat; `MODEL`: the model in the
  example on its page,
- `TRAINED`: True if only a model trained on its layout can be expected to follow it,
- `EXPERIMENTAL`: True while no result on a model is in docs/; help, completion and messages leave it out,
- `ORACLE`: True if the truth is used in the loop; its rows are marked everywhere,
- `CHAIN`: content of `Rollout.chain`, if it can be compared with the run: "states" (the state after every
  step), "jumps" (states some steps apart) or "words" (`@line | bindings` after every line of the entry),
- `WRITES`: "changes" if the reply has the changes of every step, which the viewer turns into states,
- `AT_ONCE`: True if a rollout is one short request, so that its rows can be compared with all others;
  `ONE_REQUEST`: True if it is one long request (with passes=1);
  `AT_COST`: True if its rows can be compared with those of an iterative strategy at the same cost;
  `CONTROL`: True if the program is not shown (tests read `BLIND` for this),
- `ITERATIVE`: True for a form of iterative instruction prompting (the tables of arXiv 2410.06667),
- `FORCED`: granularity of the steps under teacher forcing, if it is finer than lines,
- `opening(task, settings) -> Prompt`: the first prompt; `--dry-run` prints it, its hash is in the log,
- `async run(task, ask, settings) -> Rollout`: the turns, in order.

The caller of `run` passes in `ask`, which raises an exception if the model failed; strategies need no check
for this. The rollout then has no answer, with reason "error". No request carries a tool. `MAX_TOKENS` in a
file is the token budget of a reply, unless `--max-tokens` sets another.
"""

from __future__ import annotations

from deskcheck.turns.settings import ANY as ANY
from deskcheck.turns.settings import Ask as Ask
from deskcheck.turns.settings import Settings as Settings
from deskcheck.turns.settings import Strategy as Strategy
from deskcheck.turns.settings import check_fit as check_fit
from deskcheck.turns.settings import check_program as check_program
from deskcheck.turns.settings import is_oracle as is_oracle
from deskcheck.turns.settings import label as label
from deskcheck.turns.settings import language_refusal as language_refusal
from deskcheck.turns.settings import python_reason as python_reason
from deskcheck.turns.settings import says as says
from deskcheck.turns.settings import sends_one_request as sends_one_request
from deskcheck.turns.settings import settings_of as settings_of
