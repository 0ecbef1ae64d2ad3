# family: dynamic programming
# title: tour with a curfew
# time: O(n**2*2**n)
# space: O(n*2**n)
# english: Cheapest tour of all towns from town 0 without return when every third road costs double.
# chinese: 从 0 号城出发走遍各城且不返回的最低花费，每第三段路加倍。
# pattern: subset
# call: tour([[0, 2, 9], [2, 0, 4], [9, 4, 0]])
# call: tour([[0, 1, 5, 3], [1, 0, 2, 6], [5, 2, 0, 1], [3, 6, 1, 0]])
# call: tour([[0, 7], [7, 0]])
def tour(roads):
    best = {(1, 0): 0}
    for step in range(1, len(roads)):
        after = {}
        for (seen, town), cost in best.items():
            for place, road in enumerate(roads[town]):
                if not seen >> place & 1:
                    key = (seen | 1 << place, place)
                    price = cost + road * (2 if step % 3 == 0 else 1)
                    after[key] = min(after.get(key, 999), price)
        best = after
    return min(best.values())
