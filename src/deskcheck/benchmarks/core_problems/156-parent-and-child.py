# family: aliases
# title: children that know their parent
# time: O(n)
# space: O(n)
# english: Objects that hold each other: what a child spends is taken from the parent's purse, and a parent can be exchanged.
# chinese: 相互引用的对象：孩子的花费从父母的钱包扣除，父母可以更换。
# call: family([3])
# call: family([2, 5, 1])
# call: family([4, 4, 9, 2, 7])
class Person:
    def __init__(self, parent, purse):
        self.parent, self.purse, self.spent = parent, purse, 0

    def spend(self, amount):
        self.spent += amount
        owner = self.parent or self
        owner.purse -= amount


def family(amounts):
    old, young = Person(None, 10), Person(None, 20)
    child = Person(old, 0)
    for amount in amounts:
        child.spend(amount)
        if old.purse < 5:
            child.parent = young
    return old.purse, young.purse, child.spent
