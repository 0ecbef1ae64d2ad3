# family: closures
# title: a giver that runs dry
# time: O(n)
# space: O(1)
# english: A function hands out tokens until none is left, then fails; giving back opens it again.
# chinese: 函数发放令牌直到用完，随后报错；归还后可继续。
# call: play("g", 1)
# call: play("ggr", 2)
# call: play("grggg", 2)
def dispenser(left):
    given = 0

    def give():
        nonlocal left, given
        if left == 0:
            raise LookupError(given)
        left -= 1
        given += 1
        return given

    def back():
        nonlocal left
        left += 1
        return -left

    return give, back


def play(moves, left):
    give, back = dispenser(left)
    return [give() if move == "g" else back() for move in moves]
