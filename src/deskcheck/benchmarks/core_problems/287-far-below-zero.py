# family: control
# title: far below zero
# time: O(n)
# space: O(1)
# english: A depth that changes sign and sinks.
# chinese: 深度变号并下沉。
# control-for: 246
# call: dive(44, 2)
# call: dive(52, 3)
# call: dive(26, 5)
def dive(depth, turns):
    for turn in range(turns):
        depth = -depth + turn * 2
        depth -= 3
    return depth
