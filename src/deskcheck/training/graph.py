"""The network as an ONNX graph, written operator by operator: what `models/tiny.py` needs and nothing else.

    build(weights, shape) -> onnx.ModelProto

Weights keep the names and the orientation of the checkpoint, as fp16; the casts to fp32, the transpositions
and the joined projections are constants that onnxruntime folds when it loads the file. Attention looks at the
past and at the new tokens separately, so the cached keys are never copied; a mask says which are there.
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
IR_VERSION = 9  # what onnxruntime 1.20 reads
EMBEDDING = "model.embed_tokens.weight"
FAR = -1e9  # added to scores of what is not to be seen; finite, or a row that sees nothing is NaN


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
        """One or several weights side by side, as fp32; (in, out) where they are matrices."""
        found = [
            self.op("Cast", self.constant(weights[n], "float16", name=n), to=self.onnx.TensorProto.FLOAT)
            for n in names
        ]
        joined = found[0] if len(found) == 1 else self.op("Concat", *found, axis=0)
        is_projection = weights[names[0]].ndim == 2 and names[0] != EMBEDDING
        return str(self.op("Transpose", joined, perm=[1, 0]) if is_projection else joined)


def build(weights: Weights, shape: Shape) -> ModelProto:
    """The network as an ONNX model. DataError where weights are missing or of another shape."""
    try:
        graph = _Graph()
    except ImportError:
        raise MissingExtra("onnx", "train", "exporting a model") from None
    _check(weights, shape)
    embedding = graph.weight(weights, EMBEDDING)
    x = graph.op("Gather", embedding, "input_ids")
    cos, sin = _rotation(graph, shape)
    bias = _bias(graph)
    outputs: list[str] = []
    for layer in range(shape.layers):
        x = _layer(graph, weights, shape, layer, x, (cos, sin), bias)
        outputs += [f"new_key_{layer}", f"new_value_{layer}"]
    x = _norm(graph, shape, x, graph.weight(weights, "model.norm.weight"))
    index = graph.op("Unsqueeze", "wanted", graph.ints(2))
    chosen = graph.op("GatherND", x, index, batch_dims=1)
    graph.op("MatMul", chosen, graph.op("Transpose", embedding, perm=[1, 0]), name="logits")
    return _model(graph, shape, ["logits", *outputs])


def _check(weights: Weights, shape: Shape) -> None:
    sizes = {EMBEDDING: (shape.vocabulary, shape.hidden), "model.norm.weight": (shape.hidden,)}
    for layer in range(shape.layers):
        at = f"model.layers.{layer}."
        for name in ("q", "k", "v", "o"):
            sizes[f"{at}self_attn.{name}_proj.weight"] = (shape.hidden, shape.hidden)
        for name in ("gate", "up"):
            sizes[f"{at}mlp.{name}_proj.weight"] = (shape.intermediate, shape.hidden)
        sizes[f"{at}mlp.down_proj.weight"] = (shape.hidden, shape.intermediate)
        for name in ("input", "post_attention"):
            sizes[f"{at}{name}_layernorm.weight"] = (shape.hidden,)
    wrong = [n for n, size in sizes.items() if n not in weights or weights[n].shape != size]
    extra = [n for n in weights if n not in sizes]
    if wrong or extra:
        raise DataError(
            f"the weights do not fit the configuration: absent or misfit {wrong[:3]}, unknown {extra[:3]}; "
            "only models with tied embeddings, as many key as query heads and no biases can be exported"
        )


def _rotation(graph: _Graph, shape: Shape) -> tuple[str, str]:
    """cos and sin (rows, tokens, 1, head size / 2) of the rotary position embedding."""
    half = np.arange(0, shape.head_size, 2, dtype=np.float64) / shape.head_size
    frequency = graph.constant((1.0 / shape.rope_base**half).astype(np.float32), "float32", name="rope")
    position = graph.op("Cast", "position_ids", to=graph.onnx.TensorProto.FLOAT)
    angle = graph.op("Mul", graph.op("Unsqueeze", position, graph.ints(2, 3)), frequency)
    return graph.op("Cos", angle), graph.op("Sin", angle)


def _bias(graph: _Graph) -> tuple[str, str]:
    """What is added to the scores of the past (rows, 1, 1, past) and of the new tokens (tokens, tokens)."""
    zero, far = graph.constant(0.0, "float32"), graph.constant(FAR, "float32")
    past = graph.op("Where", graph.op("Unsqueeze", "past_mask", graph.ints(1, 2)), zero, far)
    n_tokens = graph.op("Gather", graph.op("Shape", "input_ids"), graph.constant(1, "int64"))
    count = graph.op("Range", graph.constant(0, "int64"), n_tokens, graph.constant(1, "int64"))
    query = graph.op("Unsqueeze", count, graph.ints(1))
    return past, graph.op("Where", graph.op("GreaterOrEqual", query, count), zero, far)


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
) -> str:
    at = f"model.layers.{layer}."
    y = _norm(graph, shape, x, graph.weight(weights, f"{at}input_layernorm.weight"))
    x = graph.op("Add", x, _attention(graph, weights, shape, layer, y, turn, bias))
    y = _norm(graph, shape, x, graph.weight(weights, f"{at}post_attention_layernorm.weight"))
    both = graph.op(
        "MatMul", y, graph.weight(weights, f"{at}mlp.gate_proj.weight", f"{at}mlp.up_proj.weight")
    )
    gate, up = graph.op("Split", both, outputs=2, axis=-1)
    inner = graph.op("Mul", graph.op("Mul", gate, graph.op("Sigmoid", gate)), up)
    return str(
        graph.op("Add", x, graph.op("MatMul", inner, graph.weight(weights, f"{at}mlp.down_proj.weight")))
    )


def _attention(
    graph: _Graph,
    weights: Weights,
    shape: Shape,
    layer: int,
    y: str,
    turn: tuple[str, str],
    bias: tuple[str, str],
) -> str:
    at = f"model.layers.{layer}.self_attn."
    qkv = graph.op("MatMul", y, graph.weight(weights, *(f"{at}{n}_proj.weight" for n in "qkv")))
    split = graph.ints(0, 0, 3 * shape.heads, shape.head_size)  # 0 = as it is
    q, k, v = graph.op("Split", graph.op("Reshape", qkv, split), outputs=3, axis=2)
    q = graph.op("Mul", _rotate(graph, q, *turn), graph.constant(shape.head_size**-0.5, "float32"))
    q = graph.op("Transpose", q, perm=[0, 2, 1, 3])
    k = graph.op("Transpose", _rotate(graph, k, *turn), perm=[0, 2, 1, 3], name=f"new_key_{layer}")
    v = graph.op("Transpose", v, perm=[0, 2, 1, 3], name=f"new_value_{layer}")
    scores = []
    for key, far in zip((f"past_key_{layer}", k), bias, strict=True):
        product = graph.op("MatMul", q, graph.op("Transpose", key, perm=[0, 1, 3, 2]))
        scores.append(graph.op("Add", product, far))
    weight = graph.op("Softmax", graph.op("Concat", *scores, axis=-1), axis=-1)
    sizes = [graph.op("Gather", graph.op("Shape", s), graph.ints(3)) for s in scores]
    old, new = graph.op("Split", weight, graph.op("Concat", *sizes, axis=0), outputs=2, axis=-1)
    mixed = graph.op("Add", graph.op("MatMul", old, f"past_value_{layer}"), graph.op("MatMul", new, v))
    joined = graph.op(
        "Reshape", graph.op("Transpose", mixed, perm=[0, 2, 1, 3]), graph.ints(0, 0, shape.hidden)
    )
    return str(graph.op("MatMul", joined, graph.weight(weights, f"{at}o_proj.weight")))


def _model(graph: _Graph, shape: Shape, outputs: list[str]) -> ModelProto:
    helper, kinds = graph.onnx.helper, graph.onnx.TensorProto
    cache = ["rows", shape.heads, "past", shape.head_size]
    inputs = [
        helper.make_tensor_value_info("input_ids", kinds.INT64, ["rows", "tokens"]),
        helper.make_tensor_value_info("position_ids", kinds.INT64, ["rows", "tokens"]),
        helper.make_tensor_value_info("past_mask", kinds.BOOL, ["rows", "past"]),
        helper.make_tensor_value_info("wanted", kinds.INT64, ["rows", "wanted"]),
        *(
            helper.make_tensor_value_info(f"past_{what}_{layer}", kinds.FLOAT, cache)
            for layer in range(shape.layers)
            for what in ("key", "value")
        ),
    ]
    new = ["rows", shape.heads, "tokens", shape.head_size]
    sizes = [["rows", "wanted", shape.vocabulary], *([new] * (len(outputs) - 1))]
    made = helper.make_graph(
        graph.nodes,
        "deskcheck",
        inputs,
        [helper.make_tensor_value_info(n, kinds.FLOAT, s) for n, s in zip(outputs, sizes, strict=True)],
        graph.constants,
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="deskcheck")
    model.ir_version = IR_VERSION
    graph.onnx.checker.check_model(model)
    return model
