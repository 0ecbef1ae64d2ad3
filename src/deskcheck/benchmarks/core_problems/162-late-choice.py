# family: closures
# title: a choice that is made at the call
# time: O(n)
# space: O(1)
# english: A rule asks for the mode when it is called, a frozen rule when it is made.
# chinese: 一个规则在调用时取模式，另一个在创建时固定模式。
# call: choose([("up", 3)])
# call: choose([("up", 2), ("down", 2)])
# call: choose([("down", 1), ("up", 9), ("down", 4)])
def choose(calls):
    mode = "up"

    def rule(x):
        return x + 1 if mode == "up" else x - 1

    def freeze(chosen):
        return lambda x: x * 2 if chosen == "up" else x // 2

    frozen = freeze(mode)
    log = []
    for mode, value in calls:
        log.append((rule(value), frozen(value)))
        frozen = freeze(mode)
    return log
