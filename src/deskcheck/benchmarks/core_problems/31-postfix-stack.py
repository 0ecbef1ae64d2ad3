# family: parsing
# title: a calculator that reads signs after numbers
# time: O(n)
# space: O(n)
# english: Works through numbers and signs on a stack: ~ turns the sign of the top, : divides rounding down, < takes the smaller, - subtracts. Returns the stack; what is missing or divided by zero fails.
# chinese: 用栈处理数字和运算符：~ 使栈顶变号，: 为向下取整的除法，< 取较小者，- 为减法。返回栈；缺少操作数或除以零时报错。
# call: calc("9 4 -")
# call: calc("7 2 ~ : 5 3 < 8 2 - ~")
# call: calc("6 8 8 - : 1")
def calc(text):
    stack = []
    for token in text.split():
        if token.isdigit():
            stack.append(int(token))
        elif token == "~":
            stack.append(-stack.pop())
        else:
            b, a = stack.pop(), stack.pop()
            if token == ":":
                stack.append(a // b)
            elif token == "<":
                stack.append(min(a, b))
            else:
                stack.append(a - b)
    return stack
