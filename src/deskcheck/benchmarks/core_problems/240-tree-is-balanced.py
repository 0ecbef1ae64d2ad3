# family: predicates
# title: tree is balanced
# time: O(n)
# space: O(h)
# english: Whether a tree of nested pairs has sides that differ in depth by one at most and in leaves by two at most.
# chinese: 嵌套二元组表示的树，左右深度差不超过 1 且叶数差不超过 2 时为真。
# call: balanced(((1, 2), 3))
# call: balanced((1, ((2, 3), 4)))
# call: balanced((((1, 2), (3, 4)), (5, 6)))
def balanced(tree):
    def measure(node):
        if isinstance(node, int):
            return 0, 1, True
        left, right = measure(node[0]), measure(node[1])
        depth = 1 + max(left[0], right[0])
        fine = abs(left[0] - right[0]) <= 1 and abs(left[1] - right[1]) <= 2
        return depth, left[1] + right[1], fine and left[2] and right[2]

    return measure(tree)[2]
