# family: predicates
# title: never before its parent
# time: O(n)
# space: O(n)
# english: Whether a list of names keeps every name behind the name it needs, where a name that is not in the list needs nothing.
# chinese: 检查名单中每个名字是否都排在其依赖之后，名单外的名字视为已满足。
# call: in_order(["a", "b", "c"], {"b": "a", "c": "b"})
# call: in_order(["c", "a", "b"], {"c": "x", "b": "c"})
# call: in_order(["b", "a"], {"b": "a"})
def in_order(names, needs):
    seen = []
    for name in names:
        needed = needs.get(name)
        if needed in names and needed not in seen:
            return False
        seen.append(name)
    return all(name not in needs.get(name, "") for name in seen)
