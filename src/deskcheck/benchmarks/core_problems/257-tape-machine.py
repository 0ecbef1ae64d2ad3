# family: long runs
# title: tape machine
# time: O(s)
# space: O(s)
# english: A machine with two states on a tape of digits; place, state, sum and length of the tape after a number of moves.
# chinese: 两状态的纸带机，若干步后的位置、状态、数字和与用过的格数。
# call: machine(200)
# call: machine(330)
# call: machine(451)
def machine(moves):
    tape = {}
    place, state = 0, "a"
    for _ in range(moves):
        digit = tape.get(place, 0)
        if state == "a":
            tape[place] = 2 if digit == 1 else 1
            place += -1 if digit == 2 else 1
            state = "a" if digit == 2 else "b"
        else:
            tape[place] = 2 if digit < 2 else 1
            place += 1 if digit == 2 else -1
            state = "b" if digit == 1 else "a"
    return place, state, sum(tape.values()), len(tape)
