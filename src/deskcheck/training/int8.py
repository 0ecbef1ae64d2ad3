"""An exported model with weights of 8 bits: smaller, and not the same model; what it loses is measured.

    export_int8("tiny", "runs/tiny-int8") -> Parity        and a section of its card

onnxruntime's dynamic quantisation, per channel; products of 8-bit integers, the scale of the activations is
that of the batch, so an answer can depend on what else is asked with it. Never the default, and no weights to
train on from: those are in the fp16 file. Parity is asked on held-out generated programs, questions `direct`
and `line-1`, of both models in the same batches.
"""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path

from msgspec import Struct

from deskcheck import plugins
from deskcheck.errors import MissingExtra
from deskcheck.models.tiny import Request, TinyModel, load
from deskcheck.programs.generated import HELD_OUT, traced
from deskcheck.training.data import split_prompt
from deskcheck.training.export import export

FAMILY = "easy"
N_PROGRAMS = 60
LAYOUTS = ("direct", "line-1")
MAX_TOKENS = 128
HEADING = "## int8"
SECTION = """
{heading}
Weights of 8 bits, made from the fp16 model of this card; every score above is the fp16 model's. The same
{n} questions (`direct` and every step of `line-1`, {programs} held-out programs of `{family}`) put to both:
{changed} answers ({share:.1f} %) are others; right {right} before, {right_int8} after. The file has
{size:,} bytes, the fp16 one {size_before:,}. An answer can depend on the others in its batch. Made with
`deskcheck export --int8`; training goes on from the fp16 file alone.
"""


class Parity(Struct, frozen=True):
    """The 8-bit model beside its original."""

    n: int
    changed: int
    """Answers that are another text."""
    right: int
    """Of the original's."""
    right_int8: int
    bytes_before: int
    bytes_after: int


def export_int8(checkpoint: str, out: str, *, threads: int = 2, n_programs: int = N_PROGRAMS) -> Parity:
    """Write the model of a folder to `out` with 8-bit weights, compare the two, and say so on its card."""
    folder = Path(out)
    with tempfile.TemporaryDirectory() as plain:
        export(checkpoint, plain)
        export(checkpoint, out)
        before = load(plain, threads=threads)
        _quantise(Path(plain) / "model.onnx", folder / "model.onnx")
        sizes = [(Path(path) / "model.onnx").stat().st_size for path in (plain, out)]
        found = parity(before, load(out, threads=threads), sizes, n_programs=n_programs)
    card = folder / "README.md"
    text = card.read_text(encoding="utf-8") if card.is_file() else f"# {folder.name}\n"
    card.write_text(text.split(f"\n{HEADING}\n")[0] + section(found, n_programs), encoding="utf-8")
    return found


def section(found: Parity, n_programs: int) -> str:
    """Markdown section of the model card on int8 accuracy."""
    return SECTION.format(
        heading=HEADING,
        n=found.n,
        programs=n_programs,
        family=FAMILY,
        changed=found.changed,
        share=100 * found.changed / found.n,
        right=found.right,
        right_int8=found.right_int8,
        size=found.bytes_after,
        size_before=found.bytes_before,
    )


def parity(before: TinyModel, after: TinyModel, sizes: list[int], *, n_programs: int) -> Parity:
    """Both models' answers to the same questions."""
    runs = list(traced(FAMILY, seed=HELD_OUT[FAMILY], n=n_programs))
    examples = [
        example
        for layout in LAYOUTS
        for program, trace in runs
        for example in plugins.load("representation", layout).render(trace, program)
    ]
    asked = [Request(*split_prompt(one.prompt), MAX_TOKENS) for one in examples]
    said = [[answer.text for answer in model.generate(asked)] for model in (before, after)]
    right = [sum(a == e.target for a, e in zip(texts, examples, strict=True)) for texts in said]
    changed = sum(a != b for a, b in zip(*said, strict=True))
    return Parity(len(asked), changed, right[0], right[1], sizes[0], sizes[1])


def _quantise(source: Path, target: Path) -> None:
    try:
        import onnxruntime
        from onnxruntime.quantization import QuantType, quantize_dynamic
    except ImportError as error:
        raise MissingExtra(error.name or "onnxruntime", "train", "exporting with --int8") from None
    with tempfile.TemporaryDirectory() as folder:
        options = onnxruntime.SessionOptions()
        # Casts and transpositions of weights become weights: only those can be quantised.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.optimized_model_filepath = f"{folder}/folded.onnx"
        options.log_severity_level = 3
        onnxruntime.InferenceSession(str(source), options, providers=["CPUExecutionProvider"])
        logging.disable(logging.WARNING)  # it advises what has just been done
        try:
            quantize_dynamic(
                f"{folder}/folded.onnx", str(target), weight_type=QuantType.QInt8, per_channel=True
            )
        finally:
            logging.disable(logging.NOTSET)
