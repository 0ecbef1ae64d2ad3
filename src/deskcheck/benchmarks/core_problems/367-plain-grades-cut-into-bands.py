# family: plain
# title: grades cut into bands, in plain Python
# time: O(n)
# space: O(n)
# english: Cuts points into named bands that are closed on the right, and lists who lies outside of all bands.
# chinese: 把分数切成右闭的命名区间，并列出落在所有区间之外的人。
# control-for: 307
# call: bands({"ida": 50, "jon": 51, "kim": 100, "lea": 0}, [0, 50, 80, 100], ["C", "B", "A"])
# call: bands({"u": 3, "v": 4, "w": 11}, [2, 4, 10], ["low", "high"])
# call: bands({"e": 1, "f": 2, "g": 2, "h": 2}, [0, 1, 2, 3], ["x", "y", "z"])
def bands(points, edges, names):
    sizes = [0] * len(names)
    outside = []
    for who, value in points.items():
        place = sum(map(value.__gt__, edges))
        if not 0 < place < len(edges):
            outside.append(who)
        else:
            sizes[place - 1] += 1
    return sizes, outside
