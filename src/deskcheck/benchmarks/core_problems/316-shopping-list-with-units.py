# family: re
# title: shopping list with units
# time: O(n)
# space: O(n)
# english: Parses amounts with optional units from a shopping list, converts them to grams, and adds equal goods up.
# chinese: 解析购物清单中带可选单位的数量，换算成克，并合并相同商品。
# call: shopping("2 kg flour, 300 g sugar; 500 g flour")
# call: shopping("3 eggs, 1kg eggs, some salt")
# call: shopping("10 g tea;5 g tea;x;1 lime")
import re

ENTRY = re.compile(r"(?P<amount>\d+)\s*(?P<unit>kg|g)?\s+(?P<goods>[a-z]+)")


def shopping(text):
    grams = {}
    pieces = {}
    unread = 0
    for part in re.split(r"[,;]\s*", text):
        match = ENTRY.fullmatch(part)
        if match is None:
            unread += 1
            continue
        amount, unit, goods = match.group("amount", "unit", "goods")
        scale = {"kg": 1000, "g": 1}.get(unit, 0)
        table = grams if scale else pieces
        table[goods] = table.get(goods, 0) + int(amount) * (scale or 1)
    return grams, pieces, unread
