"""Teach a model to execute: from generated programs to a trained, exported, scored model.

    presets -> stream (programs into parts) -> data (tokens, packed rows) -> trainer (TRL) -> export (ONNX)

`train.py` runs them all, scores the result on held-out programs (`evaluate.py`) and writes its card.
Only `trainer.py` imports torch; everything else runs, and is tested, without it.
"""
