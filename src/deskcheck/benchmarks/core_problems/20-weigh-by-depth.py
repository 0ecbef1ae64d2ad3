# family: recursion
# title: a nested list weighed by depth
# time: O(n)
# space: O(d)
# english: Adds numbers multiplied by their depth; the sum of an inner list is taken off the sum of the outer one.
# chinese: 把每个数乘以其深度后相加；内层列表的和要从外层的和中减去。
# call: weigh([3, [5]])
# call: weigh([[4, [7, [1, 3], 2]], 6, 5])
# call: weigh([[[2, [9]], 3], [1, [8, 5, [], 6]], 4, 7])
def weigh(parts, depth=1):
    total = 0
    for part in parts:
        if isinstance(part, list):
            total -= weigh(part, depth + 1)
        else:
            total += part * depth
    return total
