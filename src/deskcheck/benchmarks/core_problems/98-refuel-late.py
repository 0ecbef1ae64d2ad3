# family: greedy
# title: filling up as late as possible
# time: O(n)
# space: O(1)
# english: Drives along stations and fills the tank only where the next one would be out of reach; an unreachable one fails.
# chinese: 沿加油站行驶，只有到不了下一站时才加油；无法到达则报错。
# call: stops([4], 5)
# call: stops([3, 5, 9], 6)
# call: stops([2, 6, 7, 13, 22], 7)
def stops(places, tank):
    fuel, at, filled = tank, 0, []
    for place in places:
        need = place - at
        if need > tank:
            raise ValueError(place)
        if need > fuel:
            filled.append(at)
            fuel = tank
        fuel -= need
        at = place
    return filled, fuel
