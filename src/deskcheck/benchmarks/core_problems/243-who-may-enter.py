# family: predicates
# title: who may enter
# time: O(n)
# space: O(n)
# english: For each person whether rules let them in: the last rule that fits decides, and a rule with a star fits everybody.
# chinese: 每个人能否进入：以最后一条匹配的规则为准，星号匹配所有人。
# call: admitted(["ann", "bob"], ["+*", "-bob"])
# call: admitted(["al", "bea", "cy"], ["-*", "+b*", "-bea", "+cy"])
# call: admitted(["dan"], ["+d", "+da*", "-x*"])
def admitted(people, rules):
    doors = {}
    for person in people:
        open_for = False
        for rule in rules:
            name = rule[1:]
            fits = person.startswith(name[:-1]) if name.endswith("*") else person == name
            if fits:
                open_for = rule[0] == "+"
        doors[person] = open_for
    return doors
