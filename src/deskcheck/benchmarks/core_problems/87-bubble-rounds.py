# family: sorting
# title: bubbles until nothing moves
# time: O(n^2)
# space: O(1)
# english: Bubble sort that writes down the number of swaps in every round and stops at a round without one.
# chinese: 冒泡排序，记录每轮的交换次数，某轮无交换则停止。
# call: bubbles([1, 2])
# call: bubbles([3, 2, 1])
# call: bubbles([2, 9, 4, 7, 1])
def bubbles(items):
    rounds = []
    end = len(items) - 1
    while True:
        swaps = 0
        for i in range(end):
            if items[i] > items[i + 1]:
                items[i], items[i + 1] = items[i + 1], items[i]
                swaps += 1
        rounds.append(swaps)
        if swaps == 0:
            return rounds
        end -= 1
