# family: data structures
# title: a chain turned round in groups
# time: O(n)
# space: O(1)
# english: Turns groups of k nodes of a linked chain round, a shorter rest stays; gives the values in order.
# chinese: 将链表每 k 个节点一组反转，不足的保持原样；给出各值的顺序。
# call: turn([1, 2], 2)
# call: turn([1, 2, 3], 2)
# call: turn([4, 5, 6, 7, 8], 3)
class Node:
    def __init__(self, value, after):
        self.value, self.after = value, after


def turn(values, k):
    head = None
    for value in reversed(values):
        head = Node(value, head)
    result, group = [], []
    while head:
        group.append(head.value)
        head = head.after
        if len(group) == k:
            result += group[::-1]
            group = []
    return result + group
