# family: sorting
# title: two sorts one after the other
# time: O(n*log(n))
# space: O(n)
# english: Sorts names by their last letter and then, keeping that order among equals, by length, longest first.
# chinese: 先按末字母排序，再按长度从长到短稳定排序。
# call: names(["bo", "al"])
# call: names(["eve", "ann", "mia", "li"])
# call: names(["otto", "anna", "ole", "ida", "egon", "uwe"])
def names(people):
    def last(name):
        return name[-1]

    def length(name):
        return -len(name)

    people = sorted(people, key=last)
    return sorted(people, key=length)
