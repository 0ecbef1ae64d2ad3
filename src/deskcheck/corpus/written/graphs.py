# call: weight_matrix(3, [(0, 1, 5), (1, 2, 7)])
# call: weight_matrix(2, [(1, 0, 3)])
# call: weight_matrix(1, [])
# call: weight_matrix(4, [(0, 1, 4), (0, 3, 9), (2, 1, 6), (3, 2, 1), (1, 0, 2)])
# call: weight_matrix(3, [(0, 2, 8), (0, 2, 5), (0, 2, 6)])
# call: weight_matrix(2, [(0, -1, 3), (0, 1)])
def weight_matrix(n, edges):
    matrix = []
    for i in range(n):
        row = [None] * n
        row[i] = 0
        matrix.append(row)
    for u, v, w in edges:
        if matrix[u][v] is None or w < matrix[u][v]:
            matrix[u][v] = w
    return matrix


# call: levels_from({"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}, "a")
# call: levels_from({1: [2], 2: [1]}, 2)
# call: levels_from({"a": []}, "a")
# call: levels_from({0: [1, 2], 1: [0, 3], 2: [0, 4], 3: [1, 5], 4: [2, 5], 5: [3, 4, 6], 6: [5]}, 0)
# call: levels_from({1: [1, 1], 2: [1]}, 1)
# call: levels_from({"a": ["b"], "b": ["z"]}, "a")
def levels_from(graph, start):
    level = {start: 0}
    queue = [start]
    head = 0
    while head < len(queue):
        node = queue[head]
        head += 1
        for other in graph[node]:
            if other not in level:
                level[other] = level[node] + 1
                queue.append(other)
    return level


# call: layers_of_graph([[1, 2], [0, 3], [0], [1]], 0)
# call: layers_of_graph([[1], [0], []], 1)
# call: layers_of_graph([[]], 0)
# call: layers_of_graph([[1, 5], [0, 2, 4], [1, 3], [2, 4], [1, 3, 5], [0, 4]], 3)
# call: layers_of_graph([[1], [], [0]], 2)
# call: layers_of_graph([[1], [0]], 2)
def layers_of_graph(graph, start):
    seen = [False] * len(graph)
    seen[start] = True
    layer, layers = [start], []
    while layer:
        layers.append(layer)
        following = []
        for u in layer:
            for v in graph[u]:
                if seen[v]:
                    continue
                seen[v] = True
                following.append(v)
        layer = following
    return layers


# call: depth_first([[1, 2], [3], [3], []], 0)
# call: depth_first([[2], [], [1, 0]], 0)
# call: depth_first([[]], 0)
# call: depth_first([[1, 4], [2, 3], [0], [5], [5], [4]], 0)
# call: depth_first([[0, 1], [1]], 1)
# call: depth_first([[1], [4]], 0)
def depth_first(graph, start):
    order = []
    visited = [False] * len(graph)

    def visit(node):
        visited[node] = True
        order.append(node)
        for neighbour in graph[node]:
            if not visited[neighbour]:
                visit(neighbour)

    visit(start)
    return order


# call: enter_and_leave({"a": "bc", "b": "", "c": "d", "d": ""}, "a")
# call: enter_and_leave({"x": "yx", "y": "x"}, "y")
# call: enter_and_leave({"q": ""}, "q")
# call: enter_and_leave({"a": "be", "b": "cd", "c": "", "d": "a", "e": "fb", "f": ""}, "a")
# call: enter_and_leave({"a": "aa"}, "a")
# call: enter_and_leave({"a": "b"}, "a")
def enter_and_leave(graph, node, times=None):
    """Entry and exit time of every node that a depth-first search reaches."""
    if times is None:
        times = {}
    clock = sum(len(pair) for pair in times.values()) + 1
    times[node] = [clock]
    for other in graph[node]:
        if other not in times:
            enter_and_leave(graph, other, times)
    times[node].append(sum(len(pair) for pair in times.values()) + 1)
    return times


# call: dfs_by_stack([[1, 2], [0, 3], [0, 3], [1, 2]], 0)
# call: dfs_by_stack([[2, 1], [], []], 0)
# call: dfs_by_stack([[]], 0)
# call: dfs_by_stack([[3, 1], [2], [4, 0], [4, 5], [], [1]], 0)
# call: dfs_by_stack([[1], [0], [0]], 2)
# call: dfs_by_stack([], 0)
def dfs_by_stack(graph, start):
    stack = [start]
    order = []
    while stack:
        node = stack.pop()
        if node in order:
            continue
        order.append(node)
        i = len(graph[node]) - 1
        while i >= 0:
            if graph[node][i] not in order:
                stack.append(graph[node][i])
            i -= 1
    return order


# call: topological_by_finish([[1], [2], []])
# call: topological_by_finish([[], [0], [0, 1]])
# call: topological_by_finish([])
# call: topological_by_finish([[3], [3, 4], [4], [5], [5], []])
# call: topological_by_finish([[1], [0]])
# call: topological_by_finish([[2], []])
WHITE, GREY, BLACK = 0, 1, 2


def topological_by_finish(graph):
    colour = [WHITE for _ in graph]
    finished = []
    for node in range(len(graph)):
        if colour[node] == WHITE and not finish(graph, node, colour, finished):
            return None
    return finished[::-1]


def finish(graph, node, colour, finished):
    colour[node] = GREY
    for other in graph[node]:
        if colour[other] == GREY:
            return False
        if colour[other] == WHITE and not finish(graph, other, colour, finished):
            return False
    colour[node] = BLACK
    finished.append(node)
    return True


# call: find_directed_cycle({1: [2], 2: [3], 3: [1]})
# call: find_directed_cycle({"a": ["b", "c"], "b": ["c"], "c": []})
# call: find_directed_cycle({})
# call: find_directed_cycle({"a": ["b"], "b": ["c", "d"], "c": [], "d": ["e"], "e": ["f"], "f": ["b"]})
# call: find_directed_cycle({7: [7]})
# call: find_directed_cycle({"a": None})
def find_directed_cycle(graph):
    done = set()

    def walk(node, path):
        if node in path:
            return path[path.index(node) :] + [node]
        if node in done:
            return None
        path.append(node)
        for other in graph[node]:
            cycle = walk(other, path)
            if cycle:
                return cycle
        path.pop()
        done.add(node)
        return None

    for node in graph:
        cycle = walk(node, [])
        if cycle:
            return cycle
    return []


# call: undirected_cycle([[1], [0, 2], [1]])
# call: undirected_cycle([[1, 2], [0, 2], [0, 1]])
# call: undirected_cycle([])
# call: undirected_cycle([[1], [0, 2], [1, 3], [2], [5], [4, 6, 7], [5, 7], [5, 6]])
# call: undirected_cycle([[1], [0], [3], [2]])
# call: undirected_cycle([[1, 3], [0]])
def undirected_cycle(graph):
    parent = [-2] * len(graph)
    for root in range(len(graph)):
        if parent[root] != -2:
            continue
        parent[root] = -1
        stack = [root]
        while stack:
            u = stack.pop()
            for v in graph[u]:
                if parent[v] == -2:
                    parent[v] = u
                    stack.append(v)
                elif v != parent[u]:
                    return True
    return False


# call: odd_edge([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
# call: odd_edge([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
# call: odd_edge([])
# call: odd_edge([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
# call: odd_edge([[1]])
# call: odd_edge([[0, 1], [1]])
def odd_edge(matrix):
    """The first edge found whose ends would need the same colour, or the colours."""
    n = len(matrix)
    colour = [0] * n

    def paint(u, c):
        colour[u] = c
        for v in range(n):
            if matrix[u][v] == 0:
                continue
            if colour[v] == c:
                return (u, v)
            if colour[v] == 0:
                bad = paint(v, -c)
                if bad is not None:
                    return bad
        return None

    for u in range(n):
        if colour[u] == 0:
            bad = paint(u, 1)
            if bad is not None:
                return bad
    return colour


# call: components_of([[1], [0], [3], [2]])
# call: components_of([[2], [], [0]])
# call: components_of([])
# call: components_of([[4], [3, 5], [], [1], [0, 6], [1], [4]])
# call: components_of([[0], [], [1]])
# call: components_of([[1], [0, "2"], []])
def components_of(graph):
    label = [None] * len(graph)
    groups = []
    for start in range(len(graph)):
        if label[start] is not None:
            continue
        group = [start]
        label[start] = len(groups)
        for node in group:
            for other in graph[node]:
                if label[other] is None:
                    label[other] = len(groups)
                    group.append(other)
        groups.append(group)
    return groups


# call: count_islands(["##..", "..#.", "..##"])
# call: count_islands(["#.", ".#"])
# call: count_islands([])
# call: count_islands(["#..#.", "#.##.", ".....", "##..#"])
# call: count_islands(["...", "..."])
# call: count_islands(["#", 5])
def count_islands(rows):
    land = set()
    for r, row in enumerate(rows):
        for c, sign in enumerate(row):
            if sign == "#":
                land.add((r, c))
    count = 0
    while land:
        count += 1
        edge = [min(land)]
        land.remove(edge[0])
        while edge:
            r, c = edge.pop()
            for spot in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                if spot in land:
                    land.remove(spot)
                    edge.append(spot)
    return count


# call: in_and_out_degrees([[0, 1, 1], [0, 0, 1], [0, 0, 0]])
# call: in_and_out_degrees([[0, 2], [3, 0]])
# call: in_and_out_degrees([])
# call: in_and_out_degrees([[0, 1, 0, 1], [1, 0, 1, 0], [0, 0, 1, 0], [1, 1, 1, 0]])
# call: in_and_out_degrees([[5]])
# call: in_and_out_degrees([[0, 1], [1, 0, 1]])
def in_and_out_degrees(matrix):
    n = len(matrix)
    came = [0] * n
    went = [0] * n
    for i in range(n):
        for j in range(len(matrix[i])):
            if matrix[i][j]:
                went[i] += 1
                came[j] += 1
    return list(zip(came, went))


# call: all_pairs_with_next([[0, 4, 1], [None, 0, None], [None, 2, 0]], 0, 1)
# call: all_pairs_with_next([[0, 7], [None, 0]], 0, 1)
# call: all_pairs_with_next([[0]], 0, 0)
# call: all_pairs_with_next([[0, 1, 8], [None, 0, 2], [3, None, 0]], 0, 2)
# call: all_pairs_with_next([[0, None], [5, 0]], 0, 1)
# call: all_pairs_with_next([[0, 1], [1, 0]], 0, 2)
def all_pairs_with_next(cost, start, goal):
    n = len(cost)
    via = [[j if cost[i][j] is not None else None for j in range(n)] for i in range(n)]
    for k in range(n):
        for i in range(n):
            if cost[i][k] is None or i == k:
                continue
            for j in range(n):
                if cost[k][j] is None:
                    continue
                length = cost[i][k] + cost[k][j]
                if cost[i][j] is None or length < cost[i][j]:
                    cost[i][j] = length
                    via[i][j] = via[i][k]
    path = [start]
    while path[-1] != goal:
        step = via[path[-1]][goal]
        if step is None:
            return None
        path.append(step)
    return cost[start][goal], path


# call: relax_edges(3, [(0, 1, 4), (0, 2, 1), (2, 1, 2)], 0)
# call: relax_edges(2, [(1, 0, -3)], 1)
# call: relax_edges(1, [], 0)
# call: relax_edges(5, [(3, 4, 1), (2, 3, -2), (1, 2, 3), (0, 1, 5), (0, 3, 9)], 0)
# call: relax_edges(3, [(0, 1, 1), (1, 2, -3), (2, 1, 1)], 0)
# call: relax_edges(2, [(0, 1, "4")], 0)
def relax_edges(n, edges, source):
    far = float("inf")
    distance = [far] * n
    distance[source] = 0
    for _ in range(n - 1):
        changed = False
        for u, v, w in edges:
            if distance[u] + w < distance[v]:
                distance[v] = distance[u] + w
                changed = True
        if not changed:
            break
    for u, v, w in edges:
        if distance[u] + w < distance[v]:
            raise ValueError("negative cycle")
    return distance


# call: grow_spanning_tree([[0, 2, 3], [2, 0, 1], [3, 1, 0]])
# call: grow_spanning_tree([[0, 9], [9, 0]])
# call: grow_spanning_tree([[0]])
# call: grow_spanning_tree([[0, 4, 0, 7], [4, 0, 3, 5], [0, 3, 0, 6], [7, 5, 6, 0]])
# call: grow_spanning_tree([[0, 1, 0], [1, 0, 0], [0, 0, 0]])
# call: grow_spanning_tree([])
def grow_spanning_tree(matrix):
    """Prim's way: (weight, from, to) of each edge that is taken. 0 means no edge."""
    n = len(matrix)
    inside = [False] * n
    inside[0] = True
    taken = []
    for _ in range(n - 1):
        best = None
        for i in range(n):
            if not inside[i]:
                continue
            for j in range(n):
                if inside[j] or matrix[i][j] == 0:
                    continue
                if best is None or matrix[i][j] < best[0]:
                    best = (matrix[i][j], i, j)
        if best is None:
            break
        taken.append(best)
        inside[best[2]] = True
    return taken


# call: nearest_outside([[0, 6, 2], [6, 0, 3], [2, 3, 0]])
# call: nearest_outside([[0, 5], [5, 0]])
# call: nearest_outside([[0]])
# call: nearest_outside([[0, 3, 8, 4], [3, 0, 2, 9], [8, 2, 0, 1], [4, 9, 1, 0]])
# call: nearest_outside([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
# call: nearest_outside([[0, None], [None, 0]])
def nearest_outside(weights):
    n = len(weights)
    key = list(weights[0])
    link = [0] * n
    left = list(range(1, n))
    total = 0
    while left:
        v = left[0]
        for u in left:
            if key[u] < key[v]:
                v = u
        left.remove(v)
        total += key[v]
        for u in left:
            if weights[v][u] < key[u]:
                key[u] = weights[v][u]
                link[u] = v
    return total, link


# call: closure_in_place([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
# call: closure_in_place([[0, 1], [1, 0]])
# call: closure_in_place([])
# call: closure_in_place([[0, 1, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 0, 0, 0]])
# call: closure_in_place([[1]])
# call: closure_in_place([[0, 1], [1, "x"]])
def closure_in_place(reach):
    for k in range(len(reach)):
        for i in range(len(reach)):
            if not reach[i][k]:
                continue
            for j in range(len(reach)):
                reach[i][j] = reach[i][j] | reach[k][j]
    return reach


# call: closure_of_pairs([(1, 2), (2, 3)])
# call: closure_of_pairs([("a", "b"), ("b", "a")])
# call: closure_of_pairs([])
# call: closure_of_pairs([(1, 2), (2, 3), (3, 4)])
# call: closure_of_pairs([(5, 5)])
# call: closure_of_pairs([(1, 2), (2, [3])])
def closure_of_pairs(pairs):
    relation = set(pairs)
    while True:
        new = {(a, d) for a, b in relation for c, d in relation if b == c}
        if new <= relation:
            return sorted(relation)
        relation |= new


# call: can_reach({"a": ["b"], "b": ["c"], "c": []}, "a", "c")
# call: can_reach({"a": ["b"], "b": ["c"], "c": []}, "c", "a")
# call: can_reach({"a": []}, "a", "a")
# call: can_reach({1: [2, 3], 2: [4], 3: [5], 4: [1], 5: [6], 6: [3]}, 1, 6)
# call: can_reach({1: [2], 2: [1]}, 1, 3)
# call: can_reach({1: [2]}, 1, 5)
def can_reach(graph, start, goal, seen=()):
    if start == goal:
        return True
    seen = seen + (start,)
    for other in graph[start]:
        if other not in seen and can_reach(graph, other, goal, seen):
            return True
    return False


# call: depths_by_parent([-1, 0, 0, 1])
# call: depths_by_parent([1, 2, -1])
# call: depths_by_parent([])
# call: depths_by_parent([3, 0, 0, -1, 3, 4, 5, 1])
# call: depths_by_parent([-1, -1, 1])
# call: depths_by_parent([0, 9])
def depths_by_parent(parent):
    depth = [None] * len(parent)
    for node in range(len(parent)):
        chain = []
        at = node
        while at != -1 and depth[at] is None:
            if at in chain:
                raise ValueError(f"no root above {node}")
            chain.append(at)
            at = parent[at]
        level = -1 if at == -1 else depth[at]
        while chain:
            level += 1
            depth[chain.pop()] = level
    return depth


# call: lowest_common([-1, 0, 0, 1, 1, 2], 3, 4)
# call: lowest_common([-1, 0, 0, 1, 1, 2], 4, 5)
# call: lowest_common([-1], 0, 0)
# call: lowest_common([-1, 0, 1, 2, 3, 1, 5, 6], 4, 7)
# call: lowest_common([-1, 0, -1, 2], 1, 3)
# call: lowest_common([-1, 0, 1], 2, 7)
def lowest_common(parent, a, b):
    above_a = []
    while a != -1:
        above_a.append(a)
        a = parent[a]
    while b != -1:
        if b in above_a:
            return b
        b = parent[b]
    return None


# call: meet_upwards({"b": "a", "c": "a", "d": "b"}, "d", "c")
# call: meet_upwards({"b": "a", "c": "b"}, "c", "b")
# call: meet_upwards({}, "r", "r")
# call: meet_upwards({2: 1, 3: 1, 4: 2, 5: 4, 6: 5, 7: 3}, 6, 7)
# call: meet_upwards({2: 1, 4: 3}, 2, 4)
# call: meet_upwards({"b": "a"}, ["b"], "a")
def meet_upwards(parent, a, b):
    def height(node):
        steps = 0
        while node in parent:
            node = parent[node]
            steps += 1
        return steps

    ha, hb = height(a), height(b)
    while ha > hb:
        a, ha = parent[a], ha - 1
    while hb > ha:
        b, hb = parent[b], hb - 1
    while a != b and a in parent:
        a, b = parent[a], parent[b]
    return a if a == b else (a, b)


# call: tree_diameter([[1], [0, 2, 3], [1], [1]])
# call: tree_diameter([[1], [0]])
# call: tree_diameter([[]])
# call: tree_diameter([[1, 2], [0, 3], [0, 4], [1], [2, 5], [4, 6], [5]])
# call: tree_diameter([[1, 2, 3], [0], [0], [0]])
# call: tree_diameter([])
def farthest_from(tree, start):
    best = (0, start)
    stack = [(start, -1, 0)]
    while stack:
        node, came_from, d = stack.pop()
        if d > best[0]:
            best = (d, node)
        for other in tree[node]:
            if other != came_from:
                stack.append((other, node, d + 1))
    return best


def tree_diameter(tree):
    _, one_end = farthest_from(tree, 0)
    length, other_end = farthest_from(tree, one_end)
    return length, one_end, other_end


# call: diameter_by_heights({"r": ["a", "b"], "a": ["c"], "b": ["d"]}, "r")
# call: diameter_by_heights({1: [2], 2: [3]}, 1)
# call: diameter_by_heights({}, "x")
# call: diameter_by_heights({1: [2, 3], 2: [4, 5], 4: [6], 5: [7], 6: [8]}, 1)
# call: diameter_by_heights({1: [2, 3, 4]}, 1)
# call: diameter_by_heights({1: 2}, 1)
def diameter_by_heights(children, root):
    longest = 0

    def height(node):
        nonlocal longest
        first = second = 0
        for child in children.get(node, []):
            h = height(child) + 1
            if h > first:
                first, second = h, first
            elif h > second:
                second = h
        longest = max(longest, first + second)
        return first

    height(root)
    return longest


# call: colour_greedily([[1, 2], [0, 2], [0, 1]])
# call: colour_greedily([[1], [0, 2], [1, 3], [2]])
# call: colour_greedily([])
# call: colour_greedily([[1, 4], [0, 2], [1, 3], [2, 4], [0, 3]])
# call: colour_greedily([[], [], []])
# call: colour_greedily([[1], [0, 3]])
def colour_greedily(graph):
    colour = [-1] * len(graph)
    for u in range(len(graph)):
        used = [False] * (len(graph) + 1)
        for v in graph[u]:
            if colour[v] != -1:
                used[colour[v]] = True
        c = 0
        while used[c]:
            c += 1
        colour[u] = c
    return colour


# call: colour_by_degree({"a": {"b"}, "b": {"a", "c"}, "c": {"b"}})
# call: colour_by_degree({1: {2, 3}, 2: {1, 3}, 3: {1, 2}})
# call: colour_by_degree({})
# call: colour_by_degree({1: {2, 3, 4}, 2: {1}, 3: {1, 4}, 4: {1, 3, 5}, 5: {4}})
# call: colour_by_degree({1: set(), 2: set()})
# call: colour_by_degree({1: 2, 2: 1})
def colour_by_degree(graph):
    """Nodes with many neighbours choose first; each class is a set of nodes."""
    classes = []
    for node in sorted(graph, key=lambda n: (-len(graph[n]), n)):
        for members in classes:
            if not members & graph[node]:
                members.add(node)
                break
        else:
            classes.append({node})
    return [sorted(members) for members in classes]


# call: push_flow({"s": {"a": 3}, "a": {"t": 2}, "t": {}}, "s", "t")
# call: push_flow({"s": {"a": 2, "b": 2}, "a": {"t": 1}, "b": {"t": 3}, "t": {}}, "s", "t")
# call: push_flow({"s": {}, "t": {}}, "s", "t")
# call: push_flow({"s": {"a": 1, "b": 1}, "a": {"b": 1, "t": 1}, "b": {"t": 1}, "t": {}}, "s", "t")
# call: push_flow({"s": {"a": 0}, "a": {"t": 5}, "t": {}}, "s", "t")
# call: push_flow({"s": {"a": 4}, "a": {"t": 4}}, "s", "t")
def push_flow(room, source, sink):
    def augment(node, limit, seen):
        if node == sink:
            return limit
        seen.add(node)
        for other in sorted(room[node]):
            free = room[node][other]
            if free > 0 and other not in seen:
                sent = augment(other, min(limit, free), seen)
                if sent > 0:
                    room[node][other] -= sent
                    room[other][node] = room[other].get(node, 0) + sent
                    return sent
        return 0

    total = 0
    while True:
        sent = augment(source, 99, set())
        if sent == 0:
            return total
        total += sent


# call: flow_is_legal({(0, 1): 3, (1, 2): 3}, {(0, 1): 4, (1, 2): 3}, 0, 2)
# call: flow_is_legal({(0, 1): 2, (1, 2): 1}, {(0, 1): 2, (1, 2): 2}, 0, 2)
# call: flow_is_legal({}, {}, 0, 1)
# call: flow_is_legal({(0, 1): 2, (0, 2): 3, (1, 3): 1, (1, 2): 1, (2, 3): 4}, {(0, 1): 2, (0, 2): 5, (1, 3): 3, (1, 2): 1, (2, 3): 6}, 0, 3)
# call: flow_is_legal({(0, 1): 5}, {(0, 1): 4}, 0, 1)
# call: flow_is_legal({(0, 1): 1}, {(1, 0): 1}, 0, 1)
def flow_is_legal(flow, capacity, source, sink):
    balance = {}
    for (u, v), amount in flow.items():
        if not 0 <= amount <= capacity[u, v]:
            return f"too much on {u}-{v}"
        balance[u] = balance.get(u, 0) - amount
        balance[v] = balance.get(v, 0) + amount
    for node, b in balance.items():
        if node not in (source, sink) and b != 0:
            return f"{node} keeps {b}"
    return balance.get(sink, 0)


# call: walk_all_edges({"a": ["b", "c"], "b": ["c"], "c": ["a", "a"]}, "a")
# call: walk_all_edges({1: [2], 2: [3], 3: [1]}, 1)
# call: walk_all_edges({"x": []}, "x")
# call: walk_all_edges({0: [1, 3], 1: [2], 2: [0], 3: [4], 4: [0]}, 0)
# call: walk_all_edges({1: [2], 2: [], 3: [1]}, 1)
# call: walk_all_edges({1: [2]}, 1)
def walk_all_edges(graph, start):
    """Hierholzer's way for a directed graph; the lists of the graph are used up."""
    stack, tour = [start], []
    while stack:
        node = stack[-1]
        if graph[node]:
            stack.append(graph[node].pop(0))
        else:
            tour.append(stack.pop())
    tour.reverse()
    return tour, sum(map(len, graph.values()))


# call: strong_parts([[1], [2], [0]])
# call: strong_parts([[1], [0, 2], []])
# call: strong_parts([])
# call: strong_parts([[1], [2, 3], [0], [4], [3]])
# call: strong_parts([[], [], [1]])
# call: strong_parts([[1], [2]])
def strong_parts(graph):
    def collect(g, node, seen, out):
        seen.add(node)
        for other in g[node]:
            if other not in seen:
                collect(g, other, seen, out)
        out.append(node)

    order, seen = [], set()
    for node in range(len(graph)):
        if node not in seen:
            collect(graph, node, seen, order)
    turned = [[] for _ in graph]
    for node, others in enumerate(graph):
        for other in others:
            turned[other].append(node)
    parts, seen = [], set()
    for node in reversed(order):
        if node not in seen:
            part = []
            collect(turned, node, seen, part)
            parts.append(sorted(part))
    return parts


# call: subtree_sizes([-1, 0, 0, 1, 1])
# call: subtree_sizes([-1, 0, 1, 2])
# call: subtree_sizes([])
# call: subtree_sizes([-1, 0, 0, 1, 1, 2, 5, 5, 7])
# call: subtree_sizes([-1, -1])
# call: subtree_sizes([-1, 0, "1"])
def subtree_sizes(parent):
    """Every parent has a smaller number than its children."""
    size = [1] * len(parent)
    node = len(parent) - 1
    while node >= 0:
        up = parent[node]
        if up != -1:
            size[up] += size[node]
        node -= 1
    return size


# call: cut_vertices([[1], [0, 2], [1]])
# call: cut_vertices([[1, 2], [0, 2], [0, 1]])
# call: cut_vertices([[]])
# call: cut_vertices([[1, 2], [0, 2], [0, 1, 3], [2]])
# call: cut_vertices([[1], [0], []])
# call: cut_vertices([[1], [0, 5]])
def reach_without(graph, start, banned):
    seen = {start, banned}
    stack = [start]
    while stack:
        for other in graph[stack.pop()]:
            if other not in seen:
                seen.add(other)
                stack.append(other)
    return seen


def cut_vertices(graph):
    n = len(graph)
    cuts = []
    for banned in range(n):
        start = 1 if banned == 0 else 0
        if start < n and len(reach_without(graph, start, banned)) < n:
            cuts.append(banned)
    return cuts


# call: bridge_edges({"a": ["b"], "b": ["a", "c"], "c": ["b"]})
# call: bridge_edges({1: [2, 3], 2: [1, 3], 3: [1, 2]})
# call: bridge_edges({})
# call: bridge_edges({1: [2, 3], 2: [1, 3], 3: [1, 2, 4], 4: [3, 5], 5: [4]})
# call: bridge_edges({1: [], 2: [3], 3: [2]})
# call: bridge_edges({1: [2]})
def bridge_edges(graph):
    low, number, bridges = {}, {}, []

    def visit(u, came_from):
        number[u] = low[u] = len(number)
        for v in graph[u]:
            if v == came_from:
                continue
            if v in number:
                low[u] = min(low[u], number[v])
            else:
                visit(v, u)
                low[u] = min(low[u], low[v])
                if low[v] > number[u]:
                    bridges.append((u, v))

    for u in graph:
        if u not in number:
            visit(u, None)
    return bridges


# call: edges_form_tree(4, [(0, 1), (1, 2), (1, 3)])
# call: edges_form_tree(3, [(0, 1), (1, 0)])
# call: edges_form_tree(1, [])
# call: edges_form_tree(6, [(5, 4), (4, 3), (0, 3), (2, 0), (1, 2)])
# call: edges_form_tree(3, [(0, 1)])
# call: edges_form_tree(3, [(0, 1), (1, 7)])
def edges_form_tree(n, edges):
    if len(edges) != n - 1:
        return False
    near = [set() for _ in range(n)]
    for a, b in edges:
        near[a].add(b)
        near[b].add(a)
    reached, fresh = {0}, {0}
    while fresh:
        fresh = {b for a in fresh for b in near[a]} - reached
        reached |= fresh
    return len(reached) == n


# call: complement_graph([[1], [0], []])
# call: complement_graph([[1, 2], [0, 2], [0, 1]])
# call: complement_graph([])
# call: complement_graph([[1, 3], [0, 2], [1, 3], [2, 0, 4], [3]])
# call: complement_graph([[0]])
# call: complement_graph([[1], None])
def complement_graph(graph):
    other = []
    for u in range(len(graph)):
        row = []
        for v in range(len(graph)):
            if v != u and v not in graph[u]:
                row.append(v)
        other.append(row)
    return other


# call: strip_leaves([[1], [0, 2], [1]])
# call: strip_leaves([[1], [0, 2], [1, 3], [2]])
# call: strip_leaves([[]])
# call: strip_leaves([[3], [3], [3], [0, 1, 2, 4], [3, 5], [4, 6], [5]])
# call: strip_leaves([[1], [0]])
# call: strip_leaves([[1, 2], [2, 0], [0, 1]])
def strip_leaves(tree):
    """Take off the leaves again and again; one or two nodes stay in the middle."""
    degree = [len(near) for near in tree]
    left = set(range(len(tree)))
    while len(left) > 2:
        leaves = [node for node in sorted(left) if degree[node] == 1]
        if not leaves:
            raise ValueError("not a tree")
        for leaf in leaves:
            left.remove(leaf)
            for other in tree[leaf]:
                degree[other] -= 1
    return sorted(left)


# call: count_triangles([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
# call: count_triangles([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
# call: count_triangles([])
# call: count_triangles([[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 0], [1, 1, 0, 0]])
# call: count_triangles([[0, 1], [1, 0]])
# call: count_triangles([[0, 1, 1], [1, 0], [1, 1, 0]])
def count_triangles(m):
    n = len(m)
    found = 0
    for a in range(n):
        for b in range(a + 1, n):
            if not m[a][b]:
                continue
            for c in range(b + 1, n):
                if m[a][c] and m[b][c]:
                    found += 1
    return found


# call: terms_needed({"b": ["a"], "c": ["b"]}, ["a", "b", "c"])
# call: terms_needed({"c": ["a", "b"]}, ["a", "b", "c"])
# call: terms_needed({}, [])
# call: terms_needed({"d": ["b", "c"], "b": ["a"], "c": ["a"], "e": ["d"], "f": []}, ["a", "b", "c", "d", "e", "f"])
# call: terms_needed({"a": ["b"], "b": ["a"]}, ["a", "b", "c"])
# call: terms_needed({"a": ["q"]}, ["a"])
def terms_needed(before, courses):
    done = []
    plan = []
    while len(done) < len(courses):
        now = []
        for course in courses:
            if course in done:
                continue
            if all(b in done for b in before.get(course, [])):
                now.append(course)
        if not now:
            return plan, "stuck"
        done += now
        plan.append(now)
    return plan


# call: longest_chain({1: [2, 3], 2: [3], 3: []})
# call: longest_chain({"a": [], "b": ["a"]})
# call: longest_chain({})
# call: longest_chain({1: [2, 5], 2: [3], 3: [6], 4: [3], 5: [6], 6: []})
# call: longest_chain({1: [], 2: []})
# call: longest_chain({1: [2], 2: [4]})
def longest_chain(dag):
    best = {}

    def length(node):
        if node not in best:
            best[node] = 1 + max((length(other) for other in dag[node]), default=0)
        return best[node]

    for node in dag:
        length(node)
    if not best:
        return []
    chain = [max(sorted(best), key=best.get)]
    while dag[chain[-1]]:
        chain.append(max(dag[chain[-1]], key=best.get))
    return chain


# call: count_routes([[1, 2], [3], [3], []], 0, 3)
# call: count_routes([[1], [2], []], 0, 2)
# call: count_routes([[]], 0, 0)
# call: count_routes([[1, 2], [2, 3], [3, 4], [4, 5], [5], []], 0, 5)
# call: count_routes([[1, 1], []], 0, 1)
# call: count_routes([[1], [2], []], 2, 5)
def count_routes(dag, start, goal):
    ways = [0] * len(dag)
    ways[start] = 1
    for node in range(start, len(dag)):
        if ways[node] == 0:
            continue
        for other in dag[node]:
            ways[other] += ways[node]
    return ways[goal]


# call: incidence_rows(3, [(0, 1), (1, 2)])
# call: incidence_rows(2, [(1, 0)])
# call: incidence_rows(2, [])
# call: incidence_rows(4, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])
# call: incidence_rows(2, [(1, 1)])
# call: incidence_rows(2, [(0, 2)])
def incidence_rows(n, arcs):
    rows = [[0] * len(arcs)] * n
    rows = [list(row) for row in rows]
    for number, (tail, head) in enumerate(arcs):
        rows[tail][number] -= 1
        rows[head][number] += 1
    return rows


# call: universal_sink([[0, 1, 1], [0, 0, 1], [0, 0, 0]])
# call: universal_sink([[0, 1], [1, 0]])
# call: universal_sink([[0]])
# call: universal_sink([[0, 0, 1, 0], [1, 0, 1, 1], [0, 0, 0, 0], [1, 0, 1, 0]])
# call: universal_sink([[0, 0], [0, 0]])
# call: universal_sink([])
def universal_sink(m):
    """Two pointers on the matrix, then one check of the only candidate."""
    i = j = 0
    while i < len(m) and j < len(m):
        if m[i][j] == 1:
            i += 1
        else:
            j += 1
    if i >= len(m):
        return -1
    for k in range(len(m)):
        if m[i][k] or (k != i and not m[k][i]):
            return -1
    return i


# call: nested_from_parents([-1, 0, 0])
# call: nested_from_parents([1, -1, 1, 0])
# call: nested_from_parents([-1])
# call: nested_from_parents([-1, 0, 0, 1, 1, 4, 2])
# call: nested_from_parents([-1, -1, 1])
# call: nested_from_parents([1, 0])
def nested_from_parents(parent):
    box = [[i] for i in range(len(parent))]
    root = None
    for child, up in enumerate(parent):
        if up == -1:
            root = box[child]
        else:
            box[up].append(box[child])
    if root is None:
        raise ValueError("no root")
    return root


# call: tail_and_loop([1, 2, 3, 1], 0)
# call: tail_and_loop([0], 0)
# call: tail_and_loop([1, 0], 1)
# call: tail_and_loop([3, 0, 4, 5, 1, 6, 2, 7], 2)
# call: tail_and_loop([1, 2, 2], 0)
# call: tail_and_loop([1, 3], 0)
def tail_and_loop(following, start):
    """Length of the way into the loop and of the loop, with a slow and a fast walker."""
    slow = following[start]
    fast = following[following[start]]
    while slow != fast:
        slow = following[slow]
        fast = following[following[fast]]
    tail = 0
    slow = start
    while slow != fast:
        slow, fast = following[slow], following[fast]
        tail += 1
    loop = 1
    fast = following[slow]
    while fast != slow:
        fast = following[fast]
        loop += 1
    return tail, loop


# call: match_bipartite({"a": [1, 2], "b": [1]})
# call: match_bipartite({"a": [1], "b": [2]})
# call: match_bipartite({})
# call: match_bipartite({"a": [1, 2], "b": [1, 3], "c": [2], "d": [3]})
# call: match_bipartite({"a": [], "b": [5]})
# call: match_bipartite({"a": [1], "b": 1})
def match_bipartite(wishes):
    holder = {}

    def assign(person, tried):
        for thing in wishes[person]:
            if thing in tried:
                continue
            tried.append(thing)
            if thing not in holder or assign(holder[thing], tried):
                holder[thing] = person
                return True
        return False

    without = [person for person in wishes if not assign(person, [])]
    return holder, without
