# family: plain
# title: prices watched by a trigger, in plain Python
# time: O(n)
# space: O(n)
# english: Changes prices under a trigger that writes an audit row, and under one that refuses cuts by more than half.
# chinese: 修改价格时触发器写入审计行，并拒绝降价超过一半的修改。
# control-for: 333
# call: reprice({"tea": 10, "oil": 8}, [("tea", 6), ("oil", 3), ("tea", 9)])
# call: reprice({"a": 5}, [("a", 5), ("b", 1), ("a", 2), ("a", 3)])
# call: reprice({"x": 4, "y": 1}, [("y", 0), ("x", 2), ("x", 1), ("x", 0)])
def reprice(prices, changes):
    current = dict(prices)
    audit = []
    problems = []
    for goods, amount in changes:
        if goods not in current:
            problems.append((goods, "unknown"))
            continue
        if amount * 2 < current[goods]:
            problems.append((goods, "too cheap"))
            continue
        if amount != current[goods]:
            audit.append((goods, amount - current[goods]))
        current[goods] = amount
    return audit, problems
