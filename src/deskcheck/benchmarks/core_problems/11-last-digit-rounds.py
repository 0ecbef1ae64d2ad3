# family: sorting
# title: odd and even rounds by the last digit
# time: O(n^2)
# space: O(n)
# english: Compares neighbours by their last digit, in rounds that begin at the first and the second place in turn, until two rounds in a row swap nothing. Returns the numbers and the swaps of each round.
# chinese: 按个位数比较相邻的数，各轮交替从第一个和第二个位置开始，直到连续两轮没有交换。返回数列和每轮的交换次数。
# call: rounds([34, 12, 50])
# call: rounds([27, 41, 13, 8, 90])
# call: rounds([15, 9, 78, 36, 22, 61, 40])
def rounds(values):
    counts = []
    while counts[-2:] != [0, 0]:
        swaps = 0
        for i in range(len(counts) % 2, len(values) - 1, 2):
            if values[i] % 10 > values[i + 1] % 10:
                values[i], values[i + 1] = values[i + 1], values[i]
                swaps += 1
        counts.append(swaps)
    return values, counts
