# family: control
# title: two sums that swap places
# time: O(n)
# space: O(1)
# english: Adds evenly spaced numbers to two sums in turn, keeping one of them below 61.
# chinese: 把等间隔的数轮流加到两个和上，并使其中一个小于 61。
# control-for: 11
# call: sums(3, 50, 4)
# call: sums(10, 125, 5)
# call: sums(1, 127, 3)
def sums(first, last, step):
    even, odd = 0, 0
    for number in range(first, last, step):
        even, odd = odd, even + number
        even %= 61
    return even, odd
