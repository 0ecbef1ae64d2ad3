# family: bit manipulation
# title: doors that toggle their neighbours
# time: O(n)
# space: O(1)
# english: Each push toggles a door and the doors on both sides of it; gives the open doors after the pushes and the most that were open at once.
# chinese: 每次按动会切换一扇门及其两侧的门；给出最后开着的门以及同时打开的最大数量。
# call: doors(3, [1])
# call: doors(5, [0, 2, 3])
# call: doors(6, [1, 4, 4, 2, 5, 0])
def doors(n, pushes):
    state, most = 0, 0
    for push in pushes:
        mask = 1 << push
        state ^= mask | mask >> 1 | mask << 1
        state &= (1 << n) - 1
        most = max(most, bin(state).count("1"))
    return [door for door in range(n) if state >> door & 1], most
