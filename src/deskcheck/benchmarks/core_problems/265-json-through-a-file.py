# family: system
# title: json through a file
# time: O(n)
# space: O(n)
# english: Keeps a dictionary with number keys in a JSON file and reads it back: what JSON did to it, key by key.
# chinese: 把数字键的字典存进 JSON 文件再读回，逐键查看变化。
# call: through({1: "a", 2: None})
# call: through({"t": [1, 2], "u": True})
# call: through({3: {4: 5}, "3": "x"})
import json
import tempfile


def through(table):
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
        json.dump(table, file)
        size = file.tell()
        file.seek(0)
        back = json.load(file)
    changed = [key for key in table if key not in back]
    return back, changed, size
