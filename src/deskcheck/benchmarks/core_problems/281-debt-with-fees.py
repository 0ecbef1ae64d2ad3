# family: control
# title: debt with fees
# time: O(n)
# space: O(1)
# english: A debt with interest of a twentieth and payments of nine above forty.
# chinese: 负债按二十分之一计息，超过四十时还九。
# control-for: 190
# call: owe(50, 10)
# call: owe(46, 19)
# call: owe(5, 39)
def owe(debt, turns):
    paid = 0
    for month in range(turns):
        debt += debt // 20
        if debt > 40:
            debt -= 9
            paid += 9
    return debt, paid
