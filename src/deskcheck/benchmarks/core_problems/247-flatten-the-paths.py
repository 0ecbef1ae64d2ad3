# family: dictionaries
# title: flatten the paths
# time: O(n)
# space: O(n)
# english: Turns nested dictionaries into one of dotted paths; empty ones stay, and lists use their places from one on.
# chinese: 把嵌套字典展平为带点路径；空字典保留，列表用从 1 开始的序号。
# call: flatten({"a": {"b": 1}})
# call: flatten({"x": [7, {"y": 8}], "z": {}})
# call: flatten({"m": {"n": {"o": None}, "p": [[1]]}})
def flatten(value, path=""):
    if isinstance(value, dict) and value:
        pairs = value.items()
    elif isinstance(value, list) and value:
        pairs = enumerate(value, 1)
    else:
        return {path: value}
    out = {}
    for key, inner in pairs:
        out.update(flatten(inner, f"{path}.{key}" if path else str(key)))
    return out
