# call: best_value([(9, 11), (7, 20)], 7)
# call: best_value([(9, 25), (6, 19)], 7)
# call: best_value([(7, 23), (2, 3)], 6)
# call: best_value([(4, 30), (3, 20), (5, 21)], 8)
# call: best_value([(2, 19), (9, 10), (6, 8), (4, 28)], 11)
# call: best_value([(6, 4), (1, 8), (5, 25), (3, 14), (2, 19)], 13)
# call: best_value([(6, 23), (4, 24), (5, 29), (6, 2), (1, 16), (6, 7), (9, 7), (5, 9)], 19)
# call: best_value([(9, 19), (1, 25), (5, 1), (6, 21), (3, 8), (2, 4), (2, 11), (4, 1), (6, 27), (7, 1), (2, 5)], 24)
# call: best_value([(6, 26), (7, 2), (1, 2), (5, 15), (4, 3), (8, 7), (8, 18), (8, 17), (7, 2), (1, 10), (3, 30), (6, 4), (4, 9), (4, 9), (4, 19)], 33)
# call: best_value([(5, 26), (3, 6), (3, 19), (7, 9), (2, 5), (9, 11), (3, 16), (1, 28), (4, 28), (3, 28), (7, 7), (2, 24), (2, 23), (7, 3), (2, 24), (4, 24), (9, 29), (7, 11), (1, 24), (5, 19), (3, 29), (8, 7), (9, 11), (5, 11)], 40)
def best_value(things, capacity):
    best = [0] * (capacity + 1)
    for weight, value in things:
        for room in range(capacity, weight - 1, -1):
            with_it = best[room - weight] + value
            if with_it > best[room]:
                best[room] = with_it
    return best[capacity]
