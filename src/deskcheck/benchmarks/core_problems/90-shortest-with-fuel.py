# family: graphs
# title: a trip with a small tank
# time: O(n*f)
# space: O(n*f)
# english: Fewest roads from a place to another when each road takes fuel and places marked by a star fill the tank; -1 if there is no way.
# chinese: 每条路消耗燃料、带星号的地点可加满油时，从一地到另一地的最少道路数；无法到达为 -1。
# call: trip({"a": {"b": 1}}, "a", "b", 1)
# call: trip({"a": {"b": 2, "c": 3}, "b": {"c": 1}}, "a", "c", 2)
# call: trip({"a": {"b*": 2}, "b*": {"c": 2, "d": 3}, "c": {"d": 1}}, "a", "d", 3)
def trip(roads, start, goal, tank):
    level, seen, count = [(start, tank)], [], 0
    while level:
        following = []
        for place, fuel in level:
            if place == goal:
                return count
            if place.endswith("*"):
                fuel = tank
            for other, need in roads.get(place, {}).items():
                if need <= fuel and (other, fuel - need) not in seen:
                    seen.append((other, fuel - need))
                    following.append((other, fuel - need))
        level = following
        count += 1
    return -1
