"""Rewards and environments for reinforcement learning: one definition of a task, thin adapters around it.

    from deskcheck.rewards import TaskOptions, functions, tasks
    GRPOTrainer(model=.., train_dataset=tasks.dataset(TaskOptions(steps=(5, 40)), 1000),
                reward_funcs=functions.ALL, ..)

tasks.py          a task, and endless fresh ones, none near a benchmark, none for blind answers
functions.py      the rewards, as functions that TRL's `reward_funcs` takes
baselines.py      what each reward pays to answers that execute nothing
step_loop.py      one run as a conversation, a step a turn
environment.py    `deskcheck.load_environment` for verifiers and prime-rl
openenv.py        the step loop behind OpenEnv's reset and step
procedural.py     tasks as a dataset of reasoning-gym
"""
