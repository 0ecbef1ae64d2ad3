# family: greedy
# title: boats that hold two
# time: O(n*log(n))
# space: O(n)
# english: Puts the heaviest with the lightest into a boat if the boat bears both; a person too heavy fails.
# chinese: 若船能承受，则让最重和最轻的人同船；过重的人报错。
# call: boats([50], 60)
# call: boats([30, 40, 55], 70)
# call: boats([20, 35, 60, 80, 95], 90)
def boats(people, limit):
    people = sorted(people)
    crews = []
    while people:
        heavy = people.pop()
        if heavy > limit:
            raise OverflowError(heavy)
        if people and people[0] + heavy <= limit:
            crews.append((heavy, people.pop(0)))
        else:
            crews.append((heavy,))
    return crews
