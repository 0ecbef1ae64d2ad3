"""Turn a test case of LeetCodeDataset into a Python call: its values are JSON, unquoted strings or nodes.

    read_case({"input": "root = [1,null,2]", "output": "[1,2]"}, source, "Solution().m")
    -> Case(entry="Solution().m", arguments="root = tree_node([1, None, 2])", answer="[1, 2]", ..)

A parameter annotated as TreeNode or ListNode is built by `tree_node` or `list_node`. A method that returns
nodes is called through `as_list`, so that its answer is a level-order list. PRELUDE defines these functions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from deskcheck.languages import is_literal
from deskcheck.languages.python.parsing import parse_expression, parse_module

# Names that LeetCode's judge defines. Trees and lists are given level by level, with None for a missing node.
PRELUDE = """
class TreeNode:
    def __init__(self, val=0, left=None, right=None):
        self.val, self.left, self.right = val, left, right


class ListNode:
    def __init__(self, val=0, next=None):
        self.val, self.next = val, next


def tree_node(values):
    if not values or values[0] is None:
        return None
    nodes = [None if value is None else TreeNode(value) for value in values]
    waiting = nodes[::-1]
    root = waiting.pop()
    for node in nodes:
        if node is not None and waiting:
            node.left = waiting.pop()
        if node is not None and waiting:
            node.right = waiting.pop()
    return root


def list_node(values):
    first = None
    for value in reversed(values):
        first = ListNode(value, first)
    return first


def as_list(method):
    def call(*args, **kwargs):
        return _values(method(*args, **kwargs))

    return call


def _values(found):
    if isinstance(found, ListNode):
        values = []
        while found is not None and len(values) < 10000:
            values.append(found.val)
            found = found.next
        return values
    if not isinstance(found, TreeNode):
        return [] if found is None else found
    level, values = [found], []
    while level and len(values) < 10000:
        node = level.pop(0)
        values.append(None if node is None else node.val)
        if node is not None:
            level += [node.left, node.right]
    while values and values[-1] is None:
        values.pop()
    return values
"""
_NODES = {"TreeNode": "tree_node", "ListNode": "list_node"}
_JSON = {"true": True, "false": False, "null": None}
# The prelude with the node classes is not shown to the model, so this line explains them.
NODES_SAID = (
    "# tree_node([..]) and list_node([..]) build nodes from a level-order list, as_list turns them back"
)


class Case(Struct, frozen=True):
    """One call with its recorded answer."""

    entry: str
    """Expression that is called: "Solution().m"; inside "as_list(..)" if it returns nodes."""
    arguments: str
    """Text between the parentheses: "n = 7, q = [1]"."""
    answer: str
    """Recorded answer; "" if the file records a failure."""
    source: str
    """The solution, below a comment line about nodes if the call has any."""
    values: list[str]
    """Literal texts of the arguments."""


def read_case(case: object, source: str, entry: str) -> Case | None:
    """Read a test case of the solution `source`, whose method is `entry`; None unless all is literal.

    An output that records a failure counts as literal.
    """
    if not isinstance(case, dict):
        return None
    try:
        call = parse_expression(f"f({case.get('input')})")
        tree = parse_module(source)
        answer = _recorded(str(case.get("output")), tree, entry.rpartition(".")[2])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(call, ast.Call) or call.args or (answer and not is_literal(answer)):
        return None
    makers, returned = _node_types(tree, entry.rpartition(".")[2])
    values = [ast.unparse(_Python().visit(keyword.value)) for keyword in call.keywords]
    if not all(map(is_literal, values)) or any(keyword.arg is None for keyword in call.keywords):
        return None
    names = [str(keyword.arg) for keyword in call.keywords]
    parts = [
        f"{name} = {makers[name]}({value})" if name in makers else f"{name} = {value}"
        for name, value in zip(names, values, strict=True)
    ]
    text = source.rstrip("\n") + "\n"
    if makers or returned:
        text = f"{NODES_SAID}\n{text}"
    return Case(f"as_list({entry})" if returned else entry, ", ".join(parts), answer, text, values)


def _recorded(output: str, tree: ast.Module, method: str) -> str:
    """Return the recorded answer as a Python literal; "" for a failure, whose exception is not recorded.

    Version 0.3.1 of the dataset writes strings without quotes. Only the return annotation distinguishes
    `898` from '898'.
    """
    if output.startswith("Error: "):
        return ""
    text = output.strip()
    returns = next((ast.unparse(node.returns) for node in _methods(tree, method) if node.returns), "")
    if returns == "str" and not (len(text) > 1 and text[0] == text[-1] and text[0] in "'\""):
        return repr(output)
    return ast.unparse(_Python().visit(parse_expression(text)))


def _methods(tree: ast.Module, name: str) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name)


def _node_types(tree: ast.Module, method: str) -> tuple[dict[str, str], bool]:
    """Return {node parameter of a method: the function that builds it}, and whether it returns a node."""
    for node in _methods(tree, method):
        makers = {
            one.arg: maker
            for one in node.args.args
            for kind, maker in _NODES.items()
            if one.annotation is not None and kind in ast.unparse(one.annotation)
        }
        returns = ast.unparse(node.returns) if node.returns is not None else ""
        return makers, any(kind in returns for kind in _NODES)
    return {}, False


class _Python(ast.NodeTransformer):
    """Transformer of JSON's true, false and null into Python's constants."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(_JSON[node.id]) if node.id in _JSON else node
