# family: simulation
# title: the nearer of two lifts
# time: O(n)
# space: O(1)
# english: Each call goes to the nearer of two lifts, the lower one where both are as near; gives where they are and how far each has gone.
# chinese: 每次呼叫由较近的电梯响应（相同则较低的）；给出位置和各自行程。
# call: lifts([3])
# call: lifts([4, 1, 6])
# call: lifts([9, 2, 5, 5, 0, 7])
def lifts(calls):
    place, gone = [0, 10], [0, 0]
    for floor in calls:
        far = [abs(floor - p) for p in place]
        which = 0
        if far[1] < far[0] or (far[0] == far[1] and place[1] < place[0]):
            which = 1
        gone[which] += far[which]
        place[which] = floor
    return place, gone
