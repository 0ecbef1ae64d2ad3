# family: dynamic programming
# title: guess with cheap middle
# time: O(n**3)
# space: O(n**2)
# english: Money that surely finds a number between two ends when a wrong guess costs the number, and an even one half.
# chinese: 在区间内猜数，猜错付出该数（偶数只付一半），保证猜中所需的最少钱数。
# pattern: interval
# call: sure(1, 3)
# call: sure(4, 7)
# call: sure(5, 9)
def sure(low, high):
    need = {}
    for size in range(1, high - low + 1):
        for start in range(low, high - size + 1):
            end = start + size
            costs = []
            for guess in range(start, end + 1):
                fee = guess // 2 if guess % 2 == 0 else guess
                worse = max(need.get((start, guess - 1), 0), need.get((guess + 1, end), 0))
                costs.append(fee + worse)
            need[start, end] = min(costs)
    return need[low, high]
