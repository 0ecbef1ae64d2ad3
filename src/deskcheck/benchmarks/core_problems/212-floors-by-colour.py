# family: dynamic programming
# title: floors by colour
# time: O(n*k*k)
# space: O(k)
# english: Least cost to paint houses in a row so that neighbours differ, when a colour used two houses before is cheaper by one.
# chinese: 给一排房子刷漆使相邻颜色不同，若与前两栋颜色相同则便宜 1，求最低花费。
# pattern: grid
# call: paint([[1, 2], [2, 1]])
# call: paint([[3, 1], [3, 1], [3, 1]])
# call: paint([[2, 5, 3], [4, 1, 6], [2, 2, 2], [5, 3, 1]])
def paint(costs):
    best = {(-1, -1): 0}
    for row in costs:
        after = {}
        for (earlier, last), paid in best.items():
            for colour, cost in enumerate(row):
                if colour == last:
                    continue
                price = paid + cost - (1 if colour == earlier else 0)
                key = (last, colour)
                after[key] = min(after.get(key, 99), price)
        best = after
    return min(best.values())
