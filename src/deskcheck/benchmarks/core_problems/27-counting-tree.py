# family: data structures
# title: a search tree that counts, largest first
# time: O(n*h)
# space: O(n)
# english: Puts numbers into a binary search tree, counting repeats, and reads it from the largest to the smallest, each with its count and depth.
# chinese: 把数放入二叉搜索树并统计重复次数，然后从大到小读出每个数及其次数和深度。
# call: listed([5, 8])
# call: listed([4, 9, 4, 2])
# call: listed([6, 3, 7, 3, 5, 9, 8])
class Node:
    def __init__(self, key):
        self.key, self.count = key, 1
        self.smaller = self.larger = None

    def add(self, key):
        if key == self.key:
            self.count += 1
        elif key < self.key:
            self.smaller = grow(self.smaller, key)
        else:
            self.larger = grow(self.larger, key)

    def walk(self, depth):
        if self.larger:
            yield from self.larger.walk(depth + 1)
        yield (self.key, self.count, depth)
        if self.smaller:
            yield from self.smaller.walk(depth + 1)


def grow(node, key):
    if node is None:
        return Node(key)
    node.add(key)
    return node


def listed(keys):
    root = None
    for key in keys:
        root = grow(root, key)
    return list(root.walk(0))
