# family: dictionaries
# title: merge with rules
# time: O(n)
# space: O(n)
# english: Merges two settings: numbers add, lists join, dictionaries merge inside, and None in the second removes a key.
# chinese: 合并两份设置：数字相加，列表相接，字典递归合并，第二份中的 None 删除该键。
# call: merge({"a": 1, "b": [1]}, {"a": 2, "b": [2]})
# call: merge({"x": {"y": 1}, "z": 5}, {"x": {"w": 2}, "z": None})
# call: merge({"k": "v"}, {"k": "u", "n": {}, "m": None})
def merge(first, second):
    out = dict(first)
    for key, value in second.items():
        old = out.get(key)
        if value is None:
            out.pop(key, None)
        elif isinstance(old, dict) and isinstance(value, dict):
            out[key] = merge(old, value)
        elif isinstance(old, (int, list)) and type(old) is type(value):
            out[key] = old + value
        else:
            out[key] = value
    return out
