# family: matrices
# title: numbers laid out like a snake
# time: O(n*m)
# space: O(n*m)
# english: Lays numbers out in rows, every second row backwards, and gives the sum of each column.
# chinese: 把数按蛇形填入各行，给出每列之和。
# call: snake([7, 2], 2)
# call: snake([1, 2, 3, 4], 2)
# call: snake([5, 3, 8, 1, 9, 2, 4, 6, 6, 1, 7, 3, 2], 4)
def snake(numbers, width):
    sums = [0] * width
    for start in range(0, len(numbers), width):
        row = numbers[start : start + width]
        if start // width % 2:
            row = row[::-1]
        for column, number in enumerate(row):
            sums[column] += number
    return sums
