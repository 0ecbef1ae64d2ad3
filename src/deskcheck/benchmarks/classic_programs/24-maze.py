# call: steps_to_exit(['.#.', '#..'])
# call: steps_to_exit(['.#.', '.#.'])
# call: steps_to_exit(['.#.##........', '.#...#..#....', '.#...........', '#......#.#...', '....#.#......', '...#.#.#....#', '.....#...#.#.', '...#....#....', '.##....#...#.', '....#.....#..'])
# call: steps_to_exit(['...', '...'])
# call: steps_to_exit(['.#..#', '.#...', '.....'])
# call: steps_to_exit(['...#.', '..#.#', '.....', '.#...'])
# call: steps_to_exit(['......#.', '......#.', '##..#..#', '#.....#.', '#..###..', '.####.#.'])
# call: steps_to_exit(['.......#', '...##...', '...#....', '#.......', '....#...', '..#.##..'])
# call: steps_to_exit(['...##...#..', '.#.....#..#', '.........#.', '..#.#...#..', '.#....#....', '....##.#.#.', '....#..#...', '..#......#.'])
# call: steps_to_exit(['......#......', '..#........#.', '....#........', '...#.#.......', '..##...#.....', '.............', '....#.....#..', '.#.#..#......', '#....#.......', '.....#.#...#.'])
from collections import deque


def steps_to_exit(maze):
    height, width = len(maze), len(maze[0])
    distance = {(0, 0): 0}
    queue = deque([(0, 0)])
    while queue:
        y, x = queue.popleft()
        if (y, x) == (height - 1, width - 1):
            return distance[y, x]
        for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            cell = (y + dy, x + dx)
            if 0 <= cell[0] < height and 0 <= cell[1] < width and maze[cell[0]][cell[1]] != "#":
                if cell not in distance:
                    distance[cell] = distance[y, x] + 1
                    queue.append(cell)
    return None
