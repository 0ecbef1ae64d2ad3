# family: closures
# title: a generator that takes orders
# time: O(n)
# space: O(1)
# english: A generator counts on and can be told a new step; gives what it hands out.
# chinese: 一个可接受新步长的计数生成器；给出其产出。
# call: listen([1])
# call: listen([2, 0, 3])
# call: listen([0, 5, 0, -2, 0, 1, 0, 7, 0, 0, 3])
def counter():
    value, step = 10, 1
    while True:
        order = yield value
        if order:
            step = order
        value += step


def listen(orders):
    machine = counter()
    heard = [next(machine)]
    for order in orders:
        heard.append(machine.send(order))
    machine.close()
    return heard
