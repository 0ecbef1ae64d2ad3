# family: aliases
# title: two names that trade lists
# time: O(n)
# space: O(1)
# english: Two names trade their lists every round while one of them grows.
# chinese: 两个名字每轮交换列表，其中一个不断增长。
# call: trade(1)
# call: trade(3)
# call: trade(13)
def trade(rounds):
    left, right = [], ["r"]
    both = [left, right]
    for number in range(rounds):
        left.append(number)
        if number % 3 != 1:
            left, right = right, left
    return both, left is both[0], len(right)
