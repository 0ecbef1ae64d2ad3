"""Teach a model to execute: from generated programs to a trained, exported, scored model.

    presets -> stream (programs into parts) -> data (tokens, packed rows) -> trainer -> export (ONNX)

`train.py` runs them all, scores the result on held-out programs (`scores/`) and writes its card. The loop
is our own (`trainer.py`); `hub/` fine-tunes models of the hub with TRL. torch loads when a run needs it.
"""
