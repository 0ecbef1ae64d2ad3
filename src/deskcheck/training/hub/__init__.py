"""Tune models of the Hugging Face hub: supervised (tuning.py) or by reinforcement learning (rl.py).

tuning.py   a supervised tuning run; config.py reads more fields of the library TRL from a YAML file
rl.py       reinforcement learning on deskcheck's tasks and rewards
model.py    opens and checks a model and its tokenizer, and merges an adapter
data.py     runs of a dataset as conversations; other.py reads instruction data of others
shards.py   the examples as tokens on disk; rows.py assembles training rows from them
shared.py   rows that hold a program once for many examples
head.py     the loss on a CPU
watch.py    log, signals and scores of a running training
card.py     the card beside the weights; push.py uploads both
"""
