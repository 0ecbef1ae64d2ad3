# family: closures
# title: steps that see the last factor
# time: O(n)
# space: O(n)
# english: Makes small functions in a loop: some read the loop variable when they are called, some keep its value; then applies them one after the other.
# chinese: 在循环中创建小函数：有的在调用时读取循环变量，有的保存当时的值；然后依次作用。
# call: tuned([4], 10)
# call: tuned([3, 2], 5)
# call: tuned([2, 5, 4], 7)
def tuned(factors, start):
    steps = []
    for factor in factors:
        steps.append(lambda x: x * factor - len(steps))
        if factor % 2:
            steps.append(lambda x, factor=factor: x - factor)
    for step in steps:
        start = step(start)
    return start
