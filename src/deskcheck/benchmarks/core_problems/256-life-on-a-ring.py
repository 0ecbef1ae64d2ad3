# family: long runs
# title: life on a ring
# time: O(n*r)
# space: O(n)
# english: Cells on a ring live by a rule of three neighbours for many rounds; the living at the end and the fullest round.
# chinese: 环上细胞按三邻居规则演化多轮；最后的活细胞数与最满的一轮。
# call: ring("..#..#.#", 30)
# call: ring("#.........", 40)
# call: ring("##.#..##.#.#", 45)
def ring(cells, rounds):
    fullest = (0, 0)
    for number in range(1, rounds + 1):
        fresh = ""
        for i, cell in enumerate(cells):
            around = cells[i - 1] + cell + cells[(i + 1) % len(cells)]
            fresh += "#" if around.count("#") == 1 or around == "##." else "."
        cells = fresh
        fullest = max(fullest, (cells.count("#"), -number))
    return cells, fullest[0], -fullest[1]
