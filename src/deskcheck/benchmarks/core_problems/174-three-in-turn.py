# family: control
# title: three numbers in turn
# time: O(n)
# space: O(1)
# english: Moves three numbers on in turn by sums and remainders.
# chinese: 三个数依次按和与余数更新。
# control-for: 69
# call: turns(22, 4)
# call: turns(4, 11)
# call: turns(5, 19)
def turns(a, rounds):
    b = 2
    c = 5
    for i in range(rounds):
        a = (a + b) % 61
        b = (b + c) % 53
        c = (c + a) % 47
    return a, b, c
