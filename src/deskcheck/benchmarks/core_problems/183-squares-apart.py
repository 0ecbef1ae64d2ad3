# family: control
# title: squares below a bound
# time: O(n)
# space: O(1)
# english: Squares and reduces a number below a bound and keeps the largest.
# chinese: 平方后取余，并保存最大值。
# control-for: 132
# call: squares(14, 5)
# call: squares(12, 11)
# call: squares(16, 20)
def squares(x, rounds):
    top = 0
    for i in range(rounds):
        x = (x * x + i) % 59
        if x > top:
            top = x
    return x, top
