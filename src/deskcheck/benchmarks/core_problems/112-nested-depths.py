# family: recursion
# title: lists that weigh their depth
# time: O(n)
# space: O(d)
# english: Flattens lists in lists, each number becomes its value times the depth it stands at; a text in between fails.
# chinese: 展平嵌套列表，每个数乘以其所在深度；遇到文本则报错。
# call: flatten([3], 1)
# call: flatten([2, [5, [1]], 4], 1)
# call: flatten([1, [2, ["x", 3]], 4], 1)
def flatten(items, depth):
    found = []
    for item in items:
        if isinstance(item, list):
            found += flatten(item, depth + 1)
        elif isinstance(item, int):
            found.append(item * depth)
        else:
            raise TypeError(depth)
    return found
