# family: data structures
# title: a queue out of two stacks
# time: O(n)
# space: O(n)
# english: A queue made of two stacks; gives what comes out and how often the stacks were poured over; taking from an empty queue fails.
# chinese: 用两个栈实现队列；给出取出的元素和倒栈次数；空队列取元素报错。
# call: run([3, "t"])
# call: run([4, 5, "t", 6, "t"])
# call: run([1, "t", 2, 3, "t", "t", "t"])
class Queue:
    def __init__(self):
        self.left, self.right, self.poured = [], [], 0

    def take(self):
        if not self.right:
            self.poured += 1
            self.right = self.left[::-1]
            self.left = []
        return self.right.pop()


def run(actions):
    queue, out = Queue(), []
    for action in actions:
        if action == "t":
            out.append(queue.take())
        else:
            queue.left.append(action)
    return out, queue.poured
