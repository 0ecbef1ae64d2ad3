# family: dynamic programming
# title: health on the way
# time: O(m*n)
# space: O(n)
# english: Least health with which a knight comes from each cell of the upper row to the last corner when a gift above 3 is cut to 3.
# chinese: 骑士从首行各格走到右下角所需的最小生命值，单格恢复超过 3 时只算 3。
# pattern: grid
# call: health([[-2, 1]])
# call: health([[1, -3], [5, -4]])
# call: health([[0, -2, 4], [-1, -6, 2], [-5, 1, -3]])
def health(rooms):
    needed = [99] * len(rooms[0])
    for i in range(len(rooms) - 1, -1, -1):
        right = 99
        for j in range(len(rooms[0]) - 1, -1, -1):
            after = min(needed[j], right)
            after = 1 if after == 99 else after
            right = max(1, after - min(3, rooms[i][j]))
            needed[j] = right
    return needed
