# family: control
# title: products with turning signs
# time: O(n)
# space: O(1)
# english: Multiplies by each number, keeps the last two digits, and adds to a sum with a sign that turns.
# chinese: 依次乘以每个数并保留后两位，再以交替的符号加到和上。
# control-for: 40
# call: turning([7, 12])
# call: turning([9, 4, 17, 6])
# call: turning([13, 8, 5, 21, 3, 19])
def turning(numbers):
    product, total, sign = 1, 0, 1
    for number in numbers:
        product = product * number % 100
        total += sign * product
        sign = -sign
    return product, total
