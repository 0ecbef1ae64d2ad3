"""Rewards and environments for reinforcement learning: one definition of a task, with adapters for libraries.

    from deskcheck.rewards import TaskOptions, functions, tasks
    GRPOTrainer(model=.., train_dataset=tasks.dataset(TaskOptions(steps=(5, 40)), 1000),
                reward_funcs=functions.ALL, ..)

tasks.py          an endless stream of fresh tasks: none near a benchmark, none that is easily answered
                  without execution
functions.py      the rewards, as functions that TRL's `reward_funcs` takes
baselines.py      the reward that answers without execution earn
trl_environment.py  the tasks as an environment of TRL
step_loop.py      one run as a conversation, with one step per turn
environment.py    `deskcheck.load_environment`, for verifiers 0.4 and prime-rl
taskset.py        the taskset `deskcheck` of verifiers 0.4
openenv.py        tasks and the step loop behind OpenEnv's reset and step
procedural.py     tasks as a dataset of reasoning-gym
"""
