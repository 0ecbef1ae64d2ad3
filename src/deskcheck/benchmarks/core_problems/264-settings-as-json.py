# family: system
# title: settings as json
# time: O(n)
# space: O(n)
# english: Reads settings as JSON, sets a dotted key, and writes them back compactly with sorted keys.
# chinese: 读入 JSON 设置，按点分键赋值，再以排序键紧凑写回。
# call: change('{"a": {"b": 1}}', "a.b", 2)
# call: change('{"x": null}', "y.z", True)
# call: change('[1', "k", 0)
import json


def change(text, key, value):
    try:
        settings = json.loads(text)
    except json.JSONDecodeError as error:
        return f"line {error.lineno} column {error.colno}"
    *parents, last = key.split(".")
    place = settings
    for name in parents:
        place = place.setdefault(name, {})
    place[last] = value
    return json.dumps(settings, sort_keys=True, separators=(",", ":"))
