# family: closures
# title: functions composed by name
# time: O(n)
# space: O(n)
# english: Composes functions by their names from right to left and applies them; a name that is not known fails when it is applied.
# chinese: 按名字从右到左复合函数并应用；未知名字在应用时报错。
# call: apply("inc", 4)
# call: apply("inc dbl", 5)
# call: apply("neg half inc sqr", 6)
def apply(names, x):
    known = {
        "inc": lambda n: n + 1,
        "dbl": lambda n: n * 2,
        "neg": lambda n: -n,
        "sqr": lambda n: n * n,
    }

    def compose(first, rest):
        if not rest:
            return lambda n: known[first](n)
        inner = compose(rest[0], rest[1:])
        return lambda n: known[first](inner(n))

    parts = names.split()
    return compose(parts[0], parts[1:])(x)
