# family: dictionaries
# title: invert and group
# time: O(n)
# space: O(n)
# english: Turns a dictionary round; a value that several keys had keeps them in a list, newest first.
# chinese: 反转字典；多个键共有的值保留键列表，后来者在前。
# call: invert({"a": 1, "b": 2})
# call: invert({"x": 0, "y": 0, "z": 1})
# call: invert({"p": "q", "q": "p", "r": "q", "s": "q"})
def invert(table):
    out = {}
    for key, value in table.items():
        if value not in out:
            out[value] = key
        elif isinstance(out[value], list):
            out[value].insert(0, key)
        else:
            out[value] = [key, out[value]]
    return out
