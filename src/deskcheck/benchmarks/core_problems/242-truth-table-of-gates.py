# family: predicates
# title: truth table of gates
# time: O(g)
# space: O(g)
# english: Values of all wires after a list of gates; a gate that reads an unset wire takes False for it.
# chinese: 依次执行逻辑门后各导线的值，未设置的导线按 False 读取。
# call: gates([("and", "a", "b", "x"), ("not", "x", "", "y")], {"a": True, "b": False})
# call: gates([("xor", "a", "b", "s"), ("and", "a", "b", "c")], {"a": True, "b": True})
# call: gates([("or", "q", "a", "q"), ("not", "q", "", "a"), ("xor", "q", "a", "z")], {"a": True})
def gates(steps, wires):
    for kind, left, right, out in steps:
        a, b = wires.get(left, False), wires.get(right, False)
        if kind == "and":
            wires[out] = a and b
        elif kind == "or":
            wires[out] = a or b
        elif kind == "xor":
            wires[out] = a != b
        else:
            wires[out] = not a
    return [wires[name] for name in sorted(wires)]
