# family: plain
# title: shopping list with units, in plain Python
# time: O(n)
# space: O(n)
# english: Parses amounts with optional units from a shopping list, converts them to grams, and adds equal goods up.
# chinese: 解析购物清单中带可选单位的数量，换算成克，并合并相同商品。
# control-for: 316
# call: shopping("2 kg flour, 300 g sugar; 500 g flour")
# call: shopping("3 eggs, 1kg eggs, some salt")
# call: shopping("10 g tea;5 g tea;x;1 lime")
def shopping(text):
    grams = {}
    pieces = {}
    unread = 0
    for part in text.replace(";", ",").split(","):
        first, *_, goods = [""] + part.split()
        number = first or part.split()[0]
        if not number[0].isdigit():
            unread += 1
            continue
        scale = 1000 if "kg" in part else int(" g " in part)
        amount = int(number.removesuffix("kg"))
        table = grams if scale else pieces
        table[goods] = table.get(goods, 0) + amount * (scale or 1)
    return grams, pieces, unread
