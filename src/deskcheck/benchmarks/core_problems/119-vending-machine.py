# family: simulation
# title: a machine that keeps its coins
# time: O(n)
# space: O(1)
# english: Coins go into a machine that gives a drink at 7; what is too much counts for the next, a button gives it back, a strange coin fails.
# chinese: 投币满 7 给饮料；多余的留给下次，按钮退币，异常硬币报错。
# call: machine("5")
# call: machine("5 2 5")
# call: machine("2 5 5 back 1 3 5")
def machine(actions):
    credit, drinks, returned = 0, 0, []
    for action in actions.split():
        if action == "back":
            returned.append(credit)
            credit = 0
            continue
        coin = int(action)
        if coin not in (1, 2, 5):
            raise ValueError(action)
        credit += coin
        if credit >= 7:
            credit -= 7
            drinks += 1
    return drinks, credit, returned
