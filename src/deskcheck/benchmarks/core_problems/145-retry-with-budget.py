# family: exceptions
# title: tries until the budget is gone
# time: O(n)
# space: O(n)
# english: Tries to divide by each number in turn; a failure costs one try, and the last failure is passed on when none is left.
# chinese: 依次尝试除以各数；失败消耗一次机会，机会用尽则抛出最后的错误。
# call: attempt([2], 1)
# call: attempt([0, 5], 2)
# call: attempt([0, 0, "x", 3], 2)
def attempt(numbers, tries):
    log = []
    for number in numbers:
        try:
            log.append(60 // number)
        except (ZeroDivisionError, TypeError) as error:
            tries -= 1
            log.append(type(error).__name__[:4])
            if tries == 0:
                raise
    return log
