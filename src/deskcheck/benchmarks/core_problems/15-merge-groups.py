# family: graphs
# title: merging groups and counting needless links
# time: O(m*n)
# space: O(n)
# english: Joins nodes into groups link by link, the smaller root becoming the parent; a node asked for is hung right under its root. Returns the parents and, last, how many links joined nothing.
# chinese: 逐条连接把节点并入组，较小的根成为父节点，被查询的节点直接挂到它的根下。返回各节点的父节点，末尾是没有起作用的连接数。
# call: merge(3, [(2, 1)])
# call: merge(5, [(3, 2), (1, 3), (2, 1), (4, 3)])
# call: merge(7, [(4, 5), (3, 4), (5, 3), (2, 5), (0, 1), (6, 4), (6, 2)])
def merge(n, links):
    parent = list(range(n))
    needless = 0

    def root(node):
        asked = node
        while node != parent[node]:
            node = parent[node]
        parent[asked] = node
        return node

    for a, b in links:
        a, b = root(a), root(b)
        if a == b:
            needless += 1
        else:
            parent[max(a, b)] = min(a, b)
    return [*parent, needless]
