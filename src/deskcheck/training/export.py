"""Write a checkpoint as one ONNX file with 8-bit weights, and read its weights again.

    export(checkpoint, out)        out/{model.onnx, tokenizer.json, config.json}, and the card if there is one
    read_weights("tiny") -> {"model.embed_tokens.weight": array, ..}    to continue training

    write_parts(weights, shape, folder)     weights-1-of-2.safetensors, ..: fp16, each file of bounded size

Weights keep the names that they have in the checkpoint. So training can also continue from the shipped file,
whose matrices are rounded, and from parts, which fit where large files are refused. The state of the
optimizer is not stored, so such a run warms up again.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import numpy as np

from deskcheck.errors import DataError, MissingExtra, UserError
from deskcheck.models.tiny import SHIPPED, Shape
from deskcheck.training.graph import EMBEDDING, SCALE, Weights, build
from deskcheck.training.tokenizer import BASE, COMPUTING_SIZE, PLAIN_SIZE, WIDE_SIZE, build_tokenizer

OURS = (BASE, WIDE_SIZE, COMPUTING_SIZE, PLAIN_SIZE)
"""Sizes of the vocabularies that `build_tokenizer` makes."""
PART_BYTES = 14_900_000
"""Largest number of bytes of the weights in one file, so that no file exceeds 15 MB."""
PATTERN = "weights-*-of-*.safetensors"


def write_model(weights: Weights, shape: Shape, out: Path) -> None:
    """Write the three files that `models.tiny.load` reads."""
    model = build(weights, shape)
    out.mkdir(parents=True, exist_ok=True)
    (out / "model.onnx").write_bytes(model.SerializeToString())
    build_tokenizer(size=shape.vocabulary).save(str(out / "tokenizer.json"), pretty=False)
    (out / "config.json").write_bytes(msgspec.json.format(msgspec.json.encode(shape), indent=2) + b"\n")


def export(checkpoint: str, out: str) -> Path:
    """Write the model of a checkpoint folder (or of an exported folder) to `out`, and return `out`.

    UserError if `out` is that model or holds a run. DataError if the model does not have our vocabulary.
    """
    check_target(checkpoint, out)
    folder = SHIPPED if checkpoint == "tiny" else Path(checkpoint)
    shape = read_shape(checkpoint)
    if shape.vocabulary not in OURS:
        raise DataError(
            f"the model in '{checkpoint}' has {shape.vocabulary:,} tokens, which are not ours; models of "
            "the hub run by --model hub -M path=FOLDER"
        )
    weights = read_weights(checkpoint)
    write_model(weights, shape, Path(out))
    for card in (folder / "README.md", folder / "model" / "README.md"):
        exported = (card.parent / "model.onnx").is_file()
        if card.is_file() and exported and not card.parent.samefile(out):
            shutil.copyfile(card, Path(out) / "README.md")
    return Path(out)


def check_target(source: str, out: str) -> None:
    """Raise UserError if the new files would overwrite the model or a run."""
    folder = SHIPPED if source == "tiny" else Path(source)
    own = [one for one in (folder, folder / "model", folder / "checkpoint") if one.exists()]
    if Path(out).exists() and any(one.samefile(out) for one in own):
        raise UserError(f"--out {out} is the model itself; name another folder")
    if (Path(out) / "run.json").is_file():
        raise UserError(f"--out {out} holds a run (run.json); name another folder")


def model_folder(path: str) -> Path:
    """Return the folder of the model in `path`: a checkpoint, parts, an exported model or a training folder.

    In a training folder, the model is the final checkpoint, whose weights are not rounded. If there is none,
    it is the exported model, else the newest checkpoint. DataError if there is no model.
    """
    folder = SHIPPED if path == "tiny" else Path(path)
    if any((folder / name).is_file() for name in ("model.onnx", "model.safetensors")) or has_parts(folder):
        return folder
    for inner in (folder / "checkpoint", folder / "model"):
        if (inner / "model.safetensors").is_file() or (inner / "model.onnx").is_file():
            return inner
    steps = sorted(
        folder.glob("**/checkpoint-*/model.safetensors"), key=lambda f: int(f.parent.name.split("-")[1])
    )
    if steps:
        return steps[-1].parent
    raise DataError(
        f"no model in '{path}': neither model.safetensors, weights in parts nor model.onnx is there; "
        "give a folder that 'deskcheck train' or 'deskcheck export' wrote, or 'tiny' for the shipped one"
    )


def read_shape(path: str) -> Shape:
    """Read the sizes of the model in a folder. DataError if its configuration is damaged or not ours."""
    folder = model_folder(path)
    try:
        config = json.loads((folder / "config.json").read_bytes())
        if "vocab_size" not in config:  # our configuration, not that of transformers
            return msgspec.convert(config, Shape)
    except (ValueError, TypeError) as error:  # UnicodeDecodeError and msgspec's are among them
        raise DataError(
            f"{folder / 'config.json'} is damaged: {error}; restore it from a copy, or train again"
        ) from None
    try:
        return Shape(
            vocabulary=config["vocab_size"],
            hidden=config["hidden_size"],
            layers=config["num_hidden_layers"],
            heads=config["num_attention_heads"],
            intermediate=config["intermediate_size"],
            rope_base=config["rope_parameters"]["rope_theta"],
            norm_epsilon=config["rms_norm_eps"],
            trained_length=config.get("deskcheck_trained_length", config["max_position_embeddings"]),
            max_positions=config["max_position_embeddings"],
            last_digit_first=config.get("deskcheck_last_digit_first", False),
            shift=config.get("deskcheck_shift", 0),
        )
    except KeyError as error:
        raise DataError(
            f"'{folder / 'config.json'}' is no configuration of a Llama-shaped model: {error} missing"
        ) from None


def read_weights(path: str) -> Weights:
    """Read the weights in a folder: name in the checkpoint -> array; those of an exported model are rounded.

    DataError if the model was not made by us, or if its output matrix is not its embedding.
    """
    folder = model_folder(path)
    try:
        if (folder / "model.onnx").is_file():
            import onnx

            constants = onnx.load(str(folder / "model.onnx")).graph.initializer
            stored = {c.name: onnx.numpy_helper.to_array(c) for c in constants}
            known = {
                name: value * stored[name + SCALE] if name + SCALE in stored else value
                for name, value in stored.items()
                if name.endswith(".weight")
            }
            if EMBEDDING not in known:
                raise DataError(
                    f"'{folder}' holds no weights under the names of a checkpoint to go on from; "
                    "give the checkpoint that it was made from"
                )
            return known
        if has_parts(folder):
            return read_parts(folder)
        from safetensors.numpy import load_file
    except ImportError as error:
        raise MissingExtra(error.name or "onnx", "train", "reading a model") from None
    found: Weights = load_file(str(folder / "model.safetensors"))
    tied = found.pop("lm_head.weight", None)
    if tied is not None and not np.array_equal(tied, found[EMBEDDING]):
        raise DataError(f"'{folder}' has an output matrix of its own; only tied embeddings can be exported")
    return found


def write_parts(weights: Weights, shape: Shape, folder: Path, *, part_bytes: int = PART_BYTES) -> list[Path]:
    """Write the weights in fp16, all files or none; return them. UserError if one weight is too large."""
    from safetensors.numpy import save_file

    parts: list[Weights] = [{}]
    for name, value in sorted(weights.items()):
        small = np.asarray(value, np.float16)
        if small.nbytes > part_bytes:
            raise UserError(f"weight '{name}' alone has {small.nbytes:,} bytes, more than {part_bytes:,}")
        if sum(other.nbytes for other in parts[-1].values()) + small.nbytes > part_bytes:
            parts.append({})
        parts[-1][name] = small
    new = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    names = [f"weights-{number}-of-{len(parts)}.safetensors" for number in range(1, len(parts) + 1)]
    for name, part in zip(names, parts, strict=True):
        save_file(part, str(new / name))
    (new / "config.json").write_bytes(msgspec.json.format(msgspec.json.encode(shape), indent=2) + b"\n")
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)
    return [folder / name for name in names]


def has_parts(folder: Path) -> bool:
    """Whether a folder holds weights in parts, complete or not."""
    return any(folder.glob(PATTERN))


def read_parts(folder: Path) -> Weights:
    """Read the weights by name. DataError if a file is missing."""
    from safetensors.numpy import load_file

    files = sorted(folder.glob(PATTERN))
    wanted = int(files[0].stem.rsplit("-", 1)[1])
    if len(files) != wanted:
        raise DataError(f"'{folder}' holds {len(files)} of {wanted} files of weights; copy the others there")
    return {name: value for file in files for name, value in load_file(str(file)).items()}
