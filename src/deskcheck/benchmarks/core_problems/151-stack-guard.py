# family: exceptions
# title: a guard that puts things back
# time: O(n)
# space: O(n)
# english: Runs words over a stack; a word that fails leaves the stack as it was before it, and three failures end the run.
# chinese: 对栈执行指令；失败的指令使栈恢复原状，三次失败则结束。
# call: words("2 3 +")
# call: words("5 + 4 *")
# call: words("+ 1 2 x - / 9")
def words(text):
    stack, failed = [], 0
    for word in text.split():
        before = list(stack)
        try:
            if word.isdigit():
                stack.append(int(word))
                continue
            right, left = stack.pop(), stack.pop()
            stack.append({"+": left + right, "*": left * right, "-": left - right}[word])
        except (IndexError, KeyError):
            stack = before
            failed += 1
            if failed == 3:
                raise
    return stack, failed
