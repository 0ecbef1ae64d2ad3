# family: long runs
# title: bubble with counts
# time: O(n**2)
# space: O(1)
# english: Sorts pseudo-random digits by neighbours; how many swaps, and the sum of the places where they happened, modulo 1000.
# chinese: 用相邻交换对伪随机数排序，返回交换次数与交换位置之和（模 1000）。
# call: bubble(16, 7)
# call: bubble(22, 40)
# call: bubble(28, 11)
def bubble(size, seed):
    numbers = []
    for _ in range(size):
        seed = (seed * 29 + 17) % 101
        numbers.append(seed)
    swaps = places = 0
    for end in range(size - 1, 0, -1):
        for i in range(end):
            if numbers[i] > numbers[i + 1]:
                numbers[i], numbers[i + 1] = numbers[i + 1], numbers[i]
                swaps += 1
                places += i
    return swaps, places % 1000, numbers[size // 2]
