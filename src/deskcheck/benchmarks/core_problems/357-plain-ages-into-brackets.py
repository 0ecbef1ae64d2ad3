# family: plain
# title: ages into brackets, in plain Python
# time: O(n log m)
# space: O(n + m)
# english: Sorts ages into brackets with searchsorted, sums fees per bracket, and merges brackets that hold too few.
# chinese: 用二分把年龄归入区间，累加费用，并合并人数过少的区间。
# control-for: 297
# call: brackets([5, 17, 18, 64, 65, 30], [18, 65], [1, 3, 2], 2)
# call: brackets([1, 2, 3, 70, 71], [3, 40, 70], [5, 5, 5, 1], 1)
# call: brackets([22, 35, 35, 12, 50], [20, 30, 40], [0, 4, 6, 2], 3)
def brackets(ages, edges, fees, least):
    below = [sum(map(edge.__gt__, ages)) for edge in edges] + [len(ages)]
    paid = []
    merged = []
    people = money = before = 0
    for reached, fee in zip(below, fees):
        paid.append((reached - before) * fee)
        people += reached - before
        money, before = money + paid[-1], reached
        if people >= least:
            merged.append((people, money))
            people = money = 0
    return merged, (people, money), paid.index(max(paid))
