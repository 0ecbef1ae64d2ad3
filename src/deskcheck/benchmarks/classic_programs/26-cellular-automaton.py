# call: evolve(110, '#.', 1)
# call: evolve(90, '#...', 1)
# call: evolve(184, '#.###', 2)
# call: evolve(90, '##.###', 2)
# call: evolve(90, '########', 3)
# call: evolve(30, '#...#...#.#', 4)
# call: evolve(110, '...##.####.##.', 5)
# call: evolve(30, '###......#.#......', 6)
# call: evolve(184, '.##.##...####..##...#..', 8)
# call: evolve(110, '##.####.#...#...#.##....', 13)
def evolve(rule, cells, generations):
    for _ in range(generations):
        padded = "." + cells + "."
        following = ""
        for i in range(1, len(padded) - 1):
            pattern = 0
            for cell in padded[i - 1 : i + 2]:
                pattern = 2 * pattern + (cell == "#")
            following += "#" if rule >> pattern & 1 else "."
        cells = following
    return cells
