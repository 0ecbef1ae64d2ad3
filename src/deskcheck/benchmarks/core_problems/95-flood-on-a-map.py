# family: graphs
# title: water that rises on a map
# time: O(n*m)
# space: O(n*m)
# english: Floods a map from the top left corner, only to places that are at most one higher than the one they are reached from; counts the wet places of every round.
# chinese: 从左上角开始淹没地图，只能到比来处最多高 1 的地方；统计每轮新淹没的数量。
# call: flood(["19"])
# call: flood(["123", "945"])
# call: flood(["1219", "2310", "9142"])
def flood(rows):
    wet, edge, counts = [(0, 0)], [(0, 0)], []
    while edge:
        new = []
        for r, c in edge:
            for y, x in ((r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1)):
                if not (0 <= y < len(rows) and 0 <= x < len(rows[0])):
                    continue
                if (y, x) in wet or int(rows[y][x]) > int(rows[r][c]) + 1:
                    continue
                wet.append((y, x))
                new.append((y, x))
        counts.append(len(new))
        edge = new
    return counts
