# family: dynamic programming
# title: orders without clash
# time: O(n*2**n)
# space: O(2**n)
# english: Number of orders of 1 to n in which number and place divide one another and the last number is even, and the size of the last table.
# chinese: 1 到 n 的排列数：数与位置整除、末位为偶数；以及最后表的大小。
# pattern: subset
# call: orders(2)
# call: orders(3)
# call: orders(4)
def orders(n):
    ways = {0: 1}
    for place in range(1, n + 1):
        after = {}
        for used, count in ways.items():
            for number in range(1, n + 1):
                if used >> number & 1 or (place == n and number % 2):
                    continue
                if number % place == 0 or place % number == 0:
                    key = used | 1 << number
                    after[key] = after.get(key, 0) + count
        ways = after
    return sum(ways.values()), len(ways)
