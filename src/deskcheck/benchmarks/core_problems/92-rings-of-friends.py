# family: graphs
# title: where a chain of favourites ends
# time: O(n)
# space: O(n)
# english: Follows everybody's favourite until somebody comes twice; gives the ring and the length of the way to it.
# chinese: 沿着每个人的最爱走，直到有人出现两次；给出环和走到环的路程长度。
# call: ring({"a": "a"}, "a")
# call: ring({"a": "b", "b": "c", "c": "b"}, "a")
# call: ring({"k": "l", "l": "m", "m": "n", "n": "o", "o": "m"}, "k")
def ring(favourite, start):
    way, person = [], start
    while person not in way:
        way.append(person)
        person = favourite[person]
    first = way.index(person)
    return way[first:], first
