# family: closures
# title: a memory around a function
# time: O(n)
# space: O(n)
# english: Wraps a function with a memory of two values; gives results and how often the function really ran.
# chinese: 给函数加上容量为 2 的记忆；给出结果和真正运行的次数。
# call: asked([3])
# call: asked([3, 3, 4])
# call: asked([1, 2, 1, 5, 2, 1])
def remember(function):
    known, ran = {}, [0]

    def wrapper(x):
        if x not in known:
            ran[0] += 1
            if len(known) == 2:
                known.pop(min(known))
            known[x] = function(x)
        return known[x]

    return wrapper, ran


def asked(numbers):
    square, ran = remember(lambda x: x * x + 1)
    return [square(number) for number in numbers], ran
