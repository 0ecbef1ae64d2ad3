# family: dynamic programming
# title: fewest coins when every second coin costs a toll
# time: O(n*c)
# space: O(n)
# english: Fewest points to pay each amount up to n, where a coin costs 1 point and a coin of even worth 2 points; -1 where it cannot be paid.
# chinese: 支付不超过 n 的每个金额所需的最少点数：每枚硬币 1 点，面值为偶数的硬币 2 点；无法支付则为 -1。
# call: tolls([2, 3], 4)
# call: tolls([3, 4], 7)
# call: tolls([2, 5, 6], 9)
def tolls(coins, n):
    best = [0]
    for amount in range(1, n + 1):
        found = -1
        for coin in coins:
            if coin > amount or best[amount - coin] < 0:
                continue
            points = best[amount - coin] + 2 - coin % 2
            if found < 0 or points < found:
                found = points
        best.append(found)
    return best
