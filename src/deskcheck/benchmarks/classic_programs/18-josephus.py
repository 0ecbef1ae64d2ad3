# call: last_standing(2, 6)
# call: last_standing(5, 3)
# call: last_standing(9, 5)
# call: last_standing(19, 5)
# call: last_standing(38, 5)
# call: last_standing(74, 7)
# call: last_standing(144, 2)
# call: last_standing(281, 3)
# call: last_standing(547, 2)
# call: last_standing(1066, 5)
def last_standing(count, step):
    circle = list(range(1, count + 1))
    place = 0
    order = []
    while len(circle) > 1:
        place = (place + step - 1) % len(circle)
        order.append(circle.pop(place))
    return circle[0], order[-3:]
