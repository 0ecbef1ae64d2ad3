# family: closures
# title: a pipe built in a loop
# time: O(n)
# space: O(n)
# english: Builds functions in a loop, some with the value of the moment, some with that of the end, and sends a number through.
# chinese: 在循环中构建函数，有的绑定当时的值，有的绑定最终值，然后依次应用。
# call: pipe("+2", 1)
# call: pipe("+2*3", 4)
# call: pipe("*2+1*5+3", 2)
def pipe(text, number):
    steps = []
    for i in range(0, len(text), 2):
        amount = int(text[i + 1])
        if text[i] == "+":
            steps.append(lambda x, amount=amount: x + amount)
        else:
            steps.append(lambda x: x * amount)
    trail = [number]
    for step in steps:
        trail.append(step(trail[-1]))
    return trail
