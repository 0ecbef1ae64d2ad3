"""Ways to ask: one file turns a task into prompts and what comes back into an attempt.

    await vanilla.run(task, ask, Settings()) -> Attempt

A strategy file states

- `FITS`: the kinds of task it can ask: ANY, or a set of names; `WHY`: the reason why another one is refused,
- `SETTINGS`: the fields of `Settings` that it reads; `LANGUAGES` where it can ask in more than English,
- `refusal(kind, settings) -> str`, if it has one: why it cannot ask such a task with these settings,
- `TRAINED`: True if only a model trained on its layout can be expected to follow it,
- `ORACLE`: True where the truth is in the loop; such rows are marked everywhere,
- `CHAIN`: what `Attempt.chain` holds, if it is to be compared with the run: "states" (the state after every
  step), "jumps" (states some steps apart) or "words" (`@line | bindings` after every line of the entry),
- `AT_ONCE`: True where one short request is all there is, so that a row is fair beside any other;
  `AT_COST`: True where a row is a fair neighbour of an iterative one that spends as much;
  `CONTROL`: True where the program is not shown,
- `ITERATIVE`: True for a form of iterative instruction prompting (the tables of arXiv 2410.06667),
- `FORCED`: granularity of the steps that teacher_forcing asks, where it is finer than lines,
- `opening(task, settings) -> Prompt`: the first prompt; `--show-prompt` prints it, its hash is in the log,
- `async run(task, ask, settings) -> Attempt`: the questions, in order.

`ask` is given by whoever runs the strategy. It raises when the model failed, so that no strategy has to look
for that; the attempt then has no answer, with reason "error". No request ever carries a tool.
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
from deskcheck.turns.settings import reads_python as reads_python
from deskcheck.turns.settings import says as says
from deskcheck.turns.settings import settings_of as settings_of
