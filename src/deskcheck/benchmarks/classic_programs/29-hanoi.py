# call: hanoi(0)
# call: hanoi(1)
# call: hanoi(2)
# call: hanoi(3)
# call: hanoi(4)
# call: hanoi(5)
# call: hanoi(6)
# call: hanoi(7)
# call: hanoi(8)
# call: hanoi(9)
def move(n, source, target, spare, pegs, moves):
    if n == 0:
        return
    move(n - 1, source, spare, target, pegs, moves)
    pegs[target].append(pegs[source].pop())
    moves.append(source + target)
    move(n - 1, spare, target, source, pegs, moves)


def hanoi(n):
    pegs = {"A": list(range(n, 0, -1)), "B": [], "C": []}
    moves = []
    move(n, "A", "C", "B", pegs, moves)
    return moves
