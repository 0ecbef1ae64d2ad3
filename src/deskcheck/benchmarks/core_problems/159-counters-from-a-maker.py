# family: closures
# title: counters that share and that don't
# time: O(n)
# space: O(1)
# english: A maker gives two functions over one counter; two makers don't share theirs.
# chinese: 工厂返回共享同一计数器的两个函数；两个工厂互不共享。
# call: run("u")
# call: run("uud")
# call: run("uvduuvvduvud")
def maker(start):
    count = start

    def up():
        nonlocal count
        count += 2
        return count

    def down():
        nonlocal count
        count -= 1
        return count

    return up, down


def run(actions):
    (up, down), (other, _) = maker(0), maker(10)
    known = {"u": up, "d": down, "v": other}
    return [known[action]() for action in actions]
