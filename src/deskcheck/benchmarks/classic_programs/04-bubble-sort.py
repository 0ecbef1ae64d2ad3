# call: bubble_sort([26, 3])
# call: bubble_sort([69, 73, 31])
# call: bubble_sort([25, 68, 82, 74, 88])
# call: bubble_sort([82, 99, 57, 67, 55, 77])
# call: bubble_sort([94, 58, 39, 50, 60, 31, 15, 12])
# call: bubble_sort([43, 93, 48, 17, 21, 94, 13, 70, 63, 61, 61, 27])
# call: bubble_sort([90, 34, 19, 71, 78, 83, 58, 24, 45, 45, 82, 30, 2, 0, 61, 99, 93, 72])
# call: bubble_sort([18, 92, 39, 3, 13, 70, 60, 25, 15, 73, 76, 21, 82, 67, 15, 44, 4, 76, 21, 63, 63, 44, 9])
# call: bubble_sort([7, 89, 92, 18, 57, 44, 91, 12, 36, 45, 6, 1, 38, 33, 74, 25, 73, 94, 88, 52, 30, 73, 37, 72, 26, 9, 46, 63, 28, 63, 13, 43, 84, 71])
# call: bubble_sort([81, 62, 21, 84, 62, 92, 16, 10, 59, 94, 90, 96, 80, 11, 22, 38, 40, 37, 27, 54, 81, 10, 18, 4, 16, 61, 84, 5, 14, 6, 47, 33, 32, 82, 69, 26, 7, 72, 6, 65, 16, 43, 4, 84, 26])
def bubble_sort(items):
    end = len(items)
    while end > 1:
        last_swap = 0
        for i in range(1, end):
            if items[i - 1] > items[i]:
                items[i - 1], items[i] = items[i], items[i - 1]
                last_swap = i
        end = last_swap
    return items
