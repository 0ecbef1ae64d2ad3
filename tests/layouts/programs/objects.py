# call: f(3)
class Node:
    def __init__(self, key):
        self.key = key
        self.next = None


def f(n):
    head = Node(0)
    tail = head
    for i in range(1, n):
        tail.next = Node(i)
        tail = tail.next
    return tail.key
