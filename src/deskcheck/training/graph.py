"""Write the network as an ONNX graph, operator by operator, with just the parts that `models/tiny.py` needs.

    build(weights, shape) -> onnx.ModelProto

Weights keep the names and the orientation of the checkpoint. A matrix is stored as 8-bit integers with one
scale per row (`in_bytes`), a vector as fp16. When onnxruntime loads the file, it folds the casts to fp32, the
scales, the transpositions and the joined projections into constants. `_model` lists the graph's inputs and
outputs. The new tokens of all rows are one sequence, so a row that reads a long question costs nothing for
rows that write one token. Only attention arranges tokens by rows, with the inputs `pick` and `place`. It
treats the past and the new tokens separately, so cached keys are never copied; `past_length` is the number of
cached keys of each row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from deskcheck.errors import DataError, MissingExtra
from deskcheck.models.tiny import Shape

if TYPE_CHECKING:
    from onnx import ModelProto

Weights = dict[str, np.ndarray[Any, np.dtype[Any]]]
OPSET = 17
IR_VERSION = 9  # highest version that onnxruntime 1.20 reads
EMBEDDING = "model.embed_tokens.weight"
SCALE = ".scale"
"""End of the name of the constant that holds the scales of a matrix."""
LEVELS = 127
"""Largest integer of a stored matrix."""
SCALE_BITS = 12
"""Bits of a scale's mantissa: few enough that fp32 holds each product of an integer and a scale exactly."""
FAR = -1e9  # added to scores of hidden tokens; finite, because a row without visible tokens would be NaN


class _Graph:
    """Nodes and constants under construction; every method returns the name of what it made."""

    def __init__(self) -> None:
        import onnx

        self.onnx = onnx
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._known: dict[str, str] = {}

    def op(self, kind: str, *inputs: str, outputs: int = 1, name: str = "", **attributes: Any) -> Any:
        names = [name] if name else [f"t{len(self.nodes)}_{n}" for n in range(outputs)]
        self.nodes.append(self.onnx.helper.make_node(kind, list(inputs), names, **attributes))
        return names[0] if len(names) == 1 else names

    def constant(self, values: Any, kind: str, *, name: str = "") -> str:
        array = np.asarray(values, kind)
        key = name or f"{kind}:{array.tolist()}"
        if key not in self._known:
            self._known[key] = name or f"c{len(self.constants)}"
            self.constants.append(self.onnx.numpy_helper.from_array(array, self._known[key]))
        return self._known[key]

    def ints(self, *values: int) -> str:
        return self.constant(list(values), "int64")

    def weight(self, weights: Weights, *names: str) -> str:
        """Join weights as fp32; projections are transposed to (in, out)."""
        found = [self._stored(weights[name], name) for name in names]
        joined = found[0] if len(found) == 1 else self.op("Concat", *found, axis=0)
        is_projection = weights[names[0]].ndim == 2 and names[0] != EMBEDDING
        return str(self.op("Transpose", joined, perm=[1, 0]) if is_projection else joined)

    def _stored(self, values: np.ndarray[Any, np.dtype[Any]], name: str) -> str:
        """Store one weight under its name; return its values as fp32."""
        as_float = {"to": self.onnx.TensorProto.FLOAT}
        if values.ndim != 2:
            return str(self.op("Cast", self.constant(values, "float16", name=name), **as_float))
        integers, scales = in_bytes(values)
        matrix = self.op("Cast", self.constant(integers, "int8", name=name), **as_float)
        return str(self.op("Mul", matrix, self.constant(scales, "float32", name=name + SCALE)))


def in_bytes(
    matrix: np.ndarray[Any, np.dtype[Any]],
) -> tuple[np.ndarray[Any, np.dtype[np.int8]], np.ndarray[Any, np.dtype[np.float32]]]:
    """Return a matrix, rounded, as integers from -127 to 127 and one scale per row, their common factor.

    Rounding the product again gives the same integers and scales, so a stored model can be stored again.
    """
    exact = np.asarray(matrix, np.float64)
    mantissa, exponent = np.frexp(np.abs(exact).max(axis=1, keepdims=True) / LEVELS)
    scales = np.ldexp(np.ceil(mantissa * 2**SCALE_BITS) / 2**SCALE_BITS, exponent)
    scales[scales == 0] = 1.0  # a row of zeros
    return np.rint(exact / scales).astype(np.int8), scales.astype(np.float32)


def build(weights: Weights, shape: Shape) -> ModelProto:
    """Build the network as an ONNX model. DataError if weights are missing or have another shape."""
    try:
        graph = _Graph()
    except ImportError:
        raise MissingExtra("onnx", "train", "exporting a model") from None
    _check(weights, shape)
    embedding = graph.weight(weights, EMBEDDING)
    x = _read(graph, weights, shape, embedding)
    cos, sin = _rotation(graph, shape)
    bias = _bias(graph)
    new: list[str] = []
    for layer in range(shape.layers):
        x, keys, values = _layer(graph, weights, shape, layer, x, (cos, sin), bias)
        new += [keys, values]
    graph.op("Concat", *new, axis=1, name="new")
    chosen = graph.op("Gather", x, "wanted")
    chosen = _norm(graph, shape, chosen, graph.weight(weights, "model.norm.weight"))
    graph.op("MatMul", chosen, graph.op("Transpose", embedding, perm=[1, 0]), name="logits")
    return _model(graph, shape)


def _read(graph: _Graph, weights: Weights, shape: Shape, embedding: str) -> str:
    """Add to each token's embedding those of the tokens before it, each through a matrix."""
    x = str(graph.op("Gather", embedding, "input_ids"))
    for back in range(shape.shift):
        before = graph.op("Gather", "earlier_ids", graph.constant(back, "int64"), axis=0)
        matrix = graph.weight(weights, f"model.shift.{back}.weight")
        x = str(graph.op("Add", x, graph.op("MatMul", graph.op("Gather", embedding, before), matrix)))
    return x


def sizes_of(shape: Shape) -> dict[str, tuple[int, ...]]:
    """Return the size of every weight of a model, by its name in the checkpoint."""
    sizes: dict[str, tuple[int, ...]] = {
        EMBEDDING: (shape.vocabulary, shape.hidden),
        "model.norm.weight": (shape.hidden,),
    }
    sizes |= {f"model.shift.{back}.weight": (shape.hidden, shape.hidden) for back in range(shape.shift)}
    for layer in range(shape.layers):
        at = f"model.layers.{layer}."
        for name in ("q", "k", "v", "o"):
            sizes[f"{at}self_attn.{name}_proj.weight"] = (shape.hidden, shape.hidden)
        for name in ("gate", "up"):
            sizes[f"{at}mlp.{name}_proj.weight"] = (shape.intermediate, shape.hidden)
        sizes[f"{at}mlp.down_proj.weight"] = (shape.hidden, shape.intermediate)
        for name in ("input", "post_attention"):
            sizes[f"{at}{name}_layernorm.weight"] = (shape.hidden,)
    return sizes


def _check(weights: Weights, shape: Shape) -> None:
    sizes = sizes_of(shape)
    wrong = [n for n, size in sizes.items() if n not in weights or weights[n].shape != size]
    extra = [n for n in weights if n not in sizes]
    if wrong or extra:
        raise DataError(
            f"the weights do not fit the configuration: absent or misfit {wrong[:3]}, unknown {extra[:3]}; "
            "only models with tied embeddings, as many key as query heads and no biases can be exported"
        )


def _rotation(graph: _Graph, shape: Shape) -> tuple[str, str]:
    """Compute cos and sin (tokens, 1, head size / 2) of the rotary position embedding."""
    half = np.arange(0, shape.head_size, 2, dtype=np.float64) / shape.head_size
    frequency = graph.constant((1.0 / shape.rope_base**half).astype(np.float32), "float32", name="rope")
    position = graph.op("Cast", "position_ids", to=graph.onnx.TensorProto.FLOAT)
    angle = graph.op("Mul", graph.op("Unsqueeze", position, graph.ints(1, 2)), frequency)
    return graph.op("Cos", angle), graph.op("Sin", angle)


def _bias(graph: _Graph) -> tuple[str, str]:
    """Make the masks added to scores: of the past (rows, 1, 1, past) and of the new tokens (width, width)."""
    zero, far = graph.constant(0.0, "float32"), graph.constant(FAR, "float32")
    capacity = _count(graph, "past_key_0", 2)
    is_there = graph.op("Less", capacity, graph.op("Unsqueeze", "past_length", graph.ints(1)))
    past = graph.op("Where", graph.op("Unsqueeze", is_there, graph.ints(1, 2)), zero, far)
    count = _count(graph, "pick", 1)
    query = graph.op("Unsqueeze", count, graph.ints(1))
    return past, graph.op("Where", graph.op("GreaterOrEqual", query, count), zero, far)


def _count(graph: _Graph, of: str, axis: int) -> str:
    """Make the numbers 0, 1, 2, .. along an axis."""
    size = graph.op("Gather", graph.op("Shape", of), graph.constant(axis, "int64"))
    return str(graph.op("Range", graph.constant(0, "int64"), size, graph.constant(1, "int64")))


def _norm(graph: _Graph, shape: Shape, x: str, weight: str) -> str:
    square = graph.op("Mul", x, x)
    mean = graph.op("ReduceMean", square, axes=[-1], keepdims=1)
    root = graph.op("Sqrt", graph.op("Add", mean, graph.constant(shape.norm_epsilon, "float32")))
    return str(graph.op("Mul", graph.op("Div", x, root), weight))


def _rotate(graph: _Graph, x: str, cos: str, sin: str) -> str:
    a, b = graph.op("Split", x, outputs=2, axis=-1)
    first = graph.op("Sub", graph.op("Mul", a, cos), graph.op("Mul", b, sin))
    second = graph.op("Add", graph.op("Mul", b, cos), graph.op("Mul", a, sin))
    return str(graph.op("Concat", first, second, axis=-1))


def _layer(
    graph: _Graph,
    weights: Weights,
    shape: Shape,
    layer: int,
    x: str,
    turn: tuple[str, str],
    bias: tuple[str, str],
) -> tuple[str, str, str]:
    at = f"model.layers.{layer}."
    y = _norm(graph, shape, x, graph.weight(weights, f"{at}input_layernorm.weight"))
    mixed, keys, values = _attention(graph, weights, shape, layer, y, turn, bias)
    x = graph.op("Add", x, mixed)
    y = _norm(graph, shape, x, graph.weight(weights, f"{at}post_attention_layernorm.weight"))
    both = graph.op(
        "MatMul", y, graph.weight(weights, f"{at}mlp.gate_proj.weight", f"{at}mlp.up_proj.weight")
    )
    gate, up = graph.op("Split", both, outputs=2, axis=-1)
    inner = graph.op("Mul", graph.op("Mul", gate, graph.op("Sigmoid", gate)), up)
    out = graph.op("MatMul", inner, graph.weight(weights, f"{at}mlp.down_proj.weight"))
    return graph.op("Add", x, out), keys, values


def _attention(
    graph: _Graph,
    weights: Weights,
    shape: Shape,
    layer: int,
    y: str,
    turn: tuple[str, str],
    bias: tuple[str, str],
) -> tuple[str, str, str]:
    """Compute attention; return its output, and the new keys and values, each (tokens, hidden)."""
    at = f"model.layers.{layer}.self_attn."
    qkv = graph.op("MatMul", y, graph.weight(weights, *(f"{at}{n}_proj.weight" for n in "qkv")))
    heads = graph.op("Reshape", qkv, graph.ints(0, 3 * shape.heads, shape.head_size))  # 0 = as it is
    sizes = graph.ints(2 * shape.heads, shape.heads)
    to_turn, v = graph.op("Split", heads, sizes, outputs=2, axis=1)
    turned = graph.op("Concat", _rotate(graph, to_turn, *turn), v, axis=1)
    # By rows: the tokens of a row, then padding, where no token of the row sees it.
    rows = graph.op("Transpose", graph.op("Gather", turned, "pick"), perm=[0, 2, 1, 3])
    q, k, v = graph.op("Split", rows, outputs=3, axis=1)
    q = graph.op("Mul", q, graph.constant(shape.head_size**-0.5, "float32"))
    scores = []
    for key, far in zip((f"past_key_{layer}", k), bias, strict=True):
        product = graph.op("MatMul", q, graph.op("Transpose", key, perm=[0, 1, 3, 2]))
        scores.append(graph.op("Add", product, far))
    weight = graph.op("Softmax", graph.op("Concat", *scores, axis=-1), axis=-1)
    parts = [graph.op("Gather", graph.op("Shape", s), graph.ints(3)) for s in scores]
    old, new = graph.op("Split", weight, graph.op("Concat", *parts, axis=0), outputs=2, axis=-1)
    mixed = graph.op("Add", graph.op("MatMul", old, f"past_value_{layer}"), graph.op("MatMul", new, v))
    flat = graph.op("Reshape", graph.op("Transpose", mixed, perm=[0, 2, 1, 3]), graph.ints(-1, shape.hidden))
    out = graph.op("MatMul", graph.op("Gather", flat, "place"), graph.weight(weights, f"{at}o_proj.weight"))
    both = graph.op("Reshape", turned, graph.ints(0, 3 * shape.hidden))
    _, keys, values = graph.op("Split", both, outputs=3, axis=1)
    return out, keys, values


def _model(graph: _Graph, shape: Shape) -> ModelProto:
    """Declare inputs and outputs, and check the model.

    `pick`: number of the token at each place of a row. `place`: place of each token among those of all rows.
    `wanted`: tokens whose scores are computed. `earlier_ids`: the ids 1, 2, .. places before each token.
    `width`: new tokens of the longest row.
    """
    helper, kinds = graph.onnx.helper, graph.onnx.TensorProto
    cache = ["rows", shape.heads, "past", shape.head_size]
    sizes: dict[str, list[str | int]] = {
        "input_ids": ["tokens"],
        "position_ids": ["tokens"],
        "pick": ["rows", "width"],
        "place": ["tokens"],
        "past_length": ["rows"],
        "wanted": ["wanted"],
    }
    if shape.shift:
        sizes["earlier_ids"] = [shape.shift, "tokens"]
    inputs = [helper.make_tensor_value_info(name, kinds.INT64, size) for name, size in sizes.items()]
    inputs += [
        helper.make_tensor_value_info(f"past_{what}_{layer}", kinds.FLOAT, cache)
        for layer in range(shape.layers)
        for what in ("key", "value")
    ]
    outputs = [
        helper.make_tensor_value_info("logits", kinds.FLOAT, ["wanted", shape.vocabulary]),
        helper.make_tensor_value_info("new", kinds.FLOAT, ["tokens", 2 * shape.layers * shape.hidden]),
    ]
    made = helper.make_graph(graph.nodes, "deskcheck", inputs, outputs, graph.constants)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="deskcheck")
    model.ir_version = IR_VERSION
    graph.onnx.checker.check_model(model)
    return model
