"""Teach a model to execute: from generated programs to a trained, exported, scored model.

    presets -> stream (parts of the mixture) -> data (tokens, packed rows) -> trainer -> export (ONNX)

`train.py` runs these stages, scores the result on held-out programs (`scores/`) and writes its card. The
training loop is our own (`trainer.py`); `hub/` fine-tunes models of the Hugging Face hub with the library
TRL. torch loads when a run needs it.
"""
