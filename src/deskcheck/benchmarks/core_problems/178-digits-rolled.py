# family: control
# title: a number rolled on
# time: O(n)
# space: O(1)
# english: Turns the last digit of a number to its front as arithmetic.
# chinese: 用算术把数的末位移到前面。
# control-for: 99
# call: roll(22, 4)
# call: roll(3, 10)
# call: roll(8, 20)
def roll(x, rounds):
    for i in range(rounds):
        last = x % 10
        x = x // 10 + last * 100
    return x
