# family: math
# title: sums of squared digits in a base
# time: O(k*log(n))
# space: O(k)
# english: Replaces a number by the sum of the squares of its digits in a base until it comes back to one it has been at.
# chinese: 把数替换为某进制下各位数字平方和，直到出现重复。
# call: squares(1, 10)
# call: squares(7, 4)
# call: squares(23, 6)
def squares(number, base):
    seen = []
    while number not in seen:
        seen.append(number)
        total = 0
        while number:
            total += (number % base) ** 2
            number //= base
        number = total
    return seen, number
