# family: greedy
# title: paying with at most two of each note
# time: O(k*log(k))
# space: O(k)
# english: Pays an amount from the largest note down, with at most two of each; returns how many of each were used, or fails if something is left.
# chinese: 从最大面额起付款，每种纸币最多用两张；返回各面额的张数，若有剩余则报错。
# call: pay(23, [3, 10])
# call: pay(29, [5, 2, 10])
# call: pay(71, [20, 7, 1])
def pay(amount, notes):
    used = []
    for note in sorted(notes, reverse=True):
        count = min(2, amount // note)
        amount -= count * note
        used.append(count)
    if amount:
        raise ValueError(f"{amount} left")
    return used
