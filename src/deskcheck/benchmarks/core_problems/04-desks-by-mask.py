# family: dynamic programming
# title: cheapest seating by sets of taken desks
# time: O(2^n*n)
# space: O(2^n)
# english: People take desks in order, each desk once; taking the desk with one's own number costs 2 more. Returns the lowest cost for every set of taken desks, sets read as bit masks.
# chinese: 人们依次选座位，每个座位只能用一次；坐到与自己编号相同的座位要多付 2。以位掩码表示已占座位的集合，返回每个集合的最低代价。
# call: seat([[4, 2], [7, 3]])
# call: seat([[1, 6, 3], [6, 2, 7], [5, 9, 1]])
# call: seat([[3, 8, 4], [2, 2, 5], [7, 4, 6]])
def seat(costs):
    n = len(costs)
    best = {0: 0}
    for mask in range((1 << n) - 1):
        person = bin(mask).count("1")
        for desk in range(n):
            if mask >> desk & 1:
                continue
            taken = mask | 1 << desk
            cost = best[mask] + costs[person][desk] + 2 * (person == desk)
            best[taken] = min(cost, best.get(taken, cost))
    return [best[mask] for mask in sorted(best)]
