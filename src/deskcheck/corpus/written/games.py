# call: move_pawn(3, [4, 1, 6])
# call: move_pawn(38, [5, 2])
# call: move_pawn(0, [])
# call: move_pawn(0, [6, 6, 5, 3, 1, 2, 4, 6, 5, 6])
# call: move_pawn(37, [6, 3, 1])
# call: move_pawn(0, ["six"])
def move_pawn(square, rolls, last=40):
    wasted = 0
    for turn, roll in enumerate(rolls, start=1):
        target = square + roll
        if target > last:
            wasted += 1  # must land exactly on the last square
        elif target == last:
            return f"home in turn {turn}, {wasted} wasted"
        else:
            square = target
    return f"on {square}, {last - square} to go"


# call: snakes_and_ladders([3, 5, 1], {8: 2, 3: 12})
# call: snakes_and_ladders([6], {})
# call: snakes_and_ladders([], {1: 2})
# call: snakes_and_ladders([4, 2, 6, 1, 3, 5, 5, 2], {4: 14, 16: 6, 12: 22, 25: 3, 30: 28})
# call: snakes_and_ladders([2], {2: 4, 4: 2})
# call: snakes_and_ladders([2, None], {})
def snakes_and_ladders(rolls, jumps):
    place, path = 0, []
    for roll in rolls:
        place += roll
        place = jumps.get(place, place)
        path.append(place)
    return path


# call: yahtzee_full_house([2, 2, 3, 3, 3])
# call: yahtzee_full_house([1, 2, 3, 4, 5])
# call: yahtzee_full_house([])
# call: yahtzee_full_house([6, 5, 6, 5, 6])
# call: yahtzee_full_house([4, 4, 4, 4, 4])
# call: yahtzee_full_house([[1], [1]])
def yahtzee_full_house(dice):
    counts = sorted(dice.count(face) for face in set(dice))
    if counts == [2, 3]:
        return 25
    if counts == [5]:
        return 50
    return 0


# call: straight_length([1, 2, 3, 5, 6])
# call: straight_length([4, 4, 5])
# call: straight_length([2])
# call: straight_length([6, 1, 2, 5, 3, 5, 4, 1])
# call: straight_length([])
# call: straight_length([1, "2"])
def straight_length(dice):
    best = run = 0
    for face in range(1, 7):
        run = run + 1 if face in dice else 0
        best = max(best, run)
    if sum(dice) > 6 * len(dice):
        raise ValueError("loaded dice")
    return best


# call: hand_value(["K", "7"])
# call: hand_value(["A", "9", "A"])
# call: hand_value([])
# call: hand_value(["2", "3", "A", "4", "A", "5", "A"])
# call: hand_value(["A", "K"])
# call: hand_value(["Joker"])
def hand_value(cards):
    """Blackjack: aces count 11 or 1."""
    total, aces = 0, 0
    for card in cards:
        if card == "A":
            aces += 1
            total += 11
        elif card in "KQJ":
            total += 10
        else:
            total += int(card)
    while total > 21 and aces:
        total -= 10
        aces -= 1
    return "blackjack" if total == 21 and len(cards) == 2 else total


# call: by_suit("7H KS AH 2C")
# call: by_suit("10D")
# call: by_suit("")
# call: by_suit("AS KH QH 10S 9D 8D 7C 6H 2S JC")
# call: by_suit("XX")
# call: by_suit("7H K")
def by_suit(hand):
    suits = {"S": [], "H": [], "D": [], "C": []}
    ranks = "2 3 4 5 6 7 8 9 10 J Q K A".split()
    for card in hand.split():
        rank, suit = card[:-1], card[-1]
        if suit in suits:
            suits[suit].append(rank)
    for held in suits.values():
        held.sort(key=ranks.index)
    return {s: " ".join(r) for s, r in suits.items() if r}


# call: trick_winner(["7H", "KH", "2S"], "D")
# call: trick_winner(["7H", "2S"], "S")
# call: trick_winner(["7H"], "C")
# call: trick_winner(["9C", "AC", "2D", "KC", "3D", "QS"], "D")
# call: trick_winner(["7H", "7H"], "H")
# call: trick_winner([], "H")
def trick_winner(cards, trump):
    order = "23456789TJQKA"
    lead = cards[0][1]

    def strength(i):
        rank, suit = cards[i]
        bonus = 100 if suit == trump else 50 if suit == lead else 0
        return bonus + order.index(rank)

    return max(range(len(cards)), key=strength)


# call: RallyBoard("Ann", "Bob").play("ABA")
# call: RallyBoard("X", "Y", 2).play("AAB")
# call: RallyBoard("A", "B").play("")
# call: RallyBoard("Ann", "Bob", 4).play("ABABBABABAAB")
# call: RallyBoard("A", "A").play("BB")
# call: RallyBoard("A", "B").play("AC")
class RallyBoard:
    def __init__(self, home, guest, target=3):
        self.names = {"A": home, "B": guest}
        self.points = {home: 0, guest: 0}
        self.target = target

    def winner(self):
        (first, a), (second, b) = self.points.items()
        if max(a, b) >= self.target and abs(a - b) >= 2:
            return first if a > b else second

    def play(self, rallies):
        for i, rally in enumerate(rallies):
            try:
                self.points[self.names[rally]] += 1
                done = self.winner()
            except ValueError:
                return "one player"
            if done:
                return f"{done} after {i + 1}"
        return self.points


# call: line_of_three(["XXX", "OO.", "..."])
# call: line_of_three(["XO.", "XO.", ".OX"])
# call: line_of_three(["...", "...", "..."])
# call: line_of_three(["OXO", "XXO", "XOX"])
# call: line_of_three(["O.X", ".X.", "X.O"])
# call: line_of_three(["XX"])
def line_of_three(board):
    columns = ["".join(col) for col in zip(*board)]
    slants = [board[0][0] + board[1][1] + board[2][2], board[0][2] + board[1][1] + board[2][0]]
    for player in "XO":
        if player * 3 in [*board, *columns, *slants]:
            return player
    return "draw" if not any("." in row for row in board) else "open"


# call: drop_disc(["..", "..", "R."], 0, "Y")
# call: drop_disc(["...", "..."], 2, "R")
# call: drop_disc(["."], 0, "R")
# call: drop_disc([".....", "..R..", ".YR..", "RYYR."], 2, "Y")
# call: drop_disc(["R"], 0, "Y")
# call: drop_disc(["..", ".."], 5, "Y")
def drop_disc(grid, column, disc):
    rows = [list(r) for r in grid]
    for row in reversed(rows):
        if row[column] == ".":
            row[column] = disc
            break
    else:
        return "full"
    return ["".join(r) for r in rows]


# call: battleship({(0, 0), (0, 1)}, ["A1", "B1"])
# call: battleship({(2, 2)}, ["A1", "C3"])
# call: battleship(set(), ["A1"])
# call: battleship({(0, 0), (1, 0), (2, 0), (4, 4)}, ["B2", "A1", "A1", "A3", "E5", "D4", "A2", "F6"])
# call: battleship({(0, 9)}, ["A10"])
# call: battleship({(0, 0)}, ["AA"])
def battleship(ship, shots):
    log = []
    for shot in shots:
        target = int(shot[1:]) - 1, ord(shot[0]) - ord("A")
        if target in ship:
            ship.remove(target)
            log.append("hit" if ship else "sunk")
        else:
            log.append("miss")
    return log, len(ship)


# call: hangman("castle", "aset")
# call: hangman("moon", "o")
# call: hangman("", "abc")
# call: hangman("windmill", "eariloxnwdmzqp")
# call: hangman("tea", "xyzwvu")
# call: hangman("tea", [1, "t"])
def hangman(word, guesses):
    lives = 5
    shown = ["_"] * len(word)
    for guess in guesses:
        found = False
        for i in range(len(word)):
            if word[i] == guess:
                shown[i] = guess
                found = True
        if not found:
            lives -= 1
        if lives == 0 or "_" not in shown:
            break
    return "".join(shown), lives


# call: mastermind("RGBY", "RBGG")
# call: mastermind("RRGG", "RRGG")
# call: mastermind("", "")
# call: mastermind("RGBYRG", "GRYYBB")
# call: mastermind("RG", "RGB")
# call: mastermind("RG", 12)
def mastermind(secret, guess):
    pool = {}
    right = 0
    for s, g in zip(secret, guess, strict=True):
        if s == g:
            right += 1
        else:
            pool.setdefault(s, [0, 0])[0] += 1
            pool.setdefault(g, [0, 0])[1] += 1
    misplaced = sum(min(pair) for pair in pool.values())
    return f"{right} right, {misplaced} misplaced" if pool else "solved"


# call: rock_paper(["rock", "paper"], ["paper", "paper"])
# call: rock_paper(["scissors"], ["paper"])
# call: rock_paper([], [])
# call: rock_paper(["rock", "rock", "paper", "scissors", "paper"], ["scissors", "paper", "rock", "scissors", "scissors"])
# call: rock_paper(["rock", "paper"], ["rock"])
# call: rock_paper(["well"], ["rock"])
def rock_paper(ann, bob):
    order = ["rock", "paper", "scissors"]
    wins = [0, 0, 0]
    for a, b in zip(ann, bob):
        wins[(order.index(a) - order.index(b)) % 3] += 1
    draws, for_ann, for_bob = wins
    return f"{for_ann}:{for_bob} ({draws} drawn)"


# call: bowling_frames([3, 4, 10, 2, 5])
# call: bowling_frames([5, 5, 3, 0])
# call: bowling_frames([])
# call: bowling_frames([10, 10, 9, 1, 0, 7, 10, 3, 6, 8])
# call: bowling_frames([10])
# call: bowling_frames([3, "-"])
def bowling_frames(pins):
    frames = []
    i = 0
    while i < len(pins):
        if pins[i] == 10:
            frames.append("X")
            i += 1
            continue
        pair = pins[i:i + 2]
        if len(pair) == 2 and sum(pair) == 10:
            frames.append(f"{pair[0]}/")
        else:
            frames.append("".join(str(p) for p in pair))
        i += 2
    return " ".join(frames), sum(pins)


# call: turn_order(["Ann", "Bob", "Cy"], ["next", "skip", "next"])
# call: turn_order(["Ann", "Bob"], ["reverse"])
# call: turn_order(["Ann"], [])
# call: turn_order(["A", "B", "C", "D"], ["next", "reverse", "next", "skip", "next", "reverse", "skip", "next"])
# call: turn_order(["A", "B", "C"], ["reverse", "reverse", "jump"])
# call: turn_order([], ["next"])
def turn_order(players, cards):
    now, direction = 0, 1
    turns = []
    for card in cards:
        turns.append(players[now])
        if card == "reverse":
            direction *= -1
        now = (now + direction * (2 if card == "skip" else 1)) % len(players)
    return turns, players[now]


# call: knight_targets("b1")
# call: knight_targets("e4")
# call: knight_targets("a1")
# call: knight_targets("g7")
# call: knight_targets("h8")
# call: knight_targets("z")
def knight_targets(square):
    x, y = "abcdefgh".index(square[0]), int(square[1])
    jumps = [(dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx) != abs(dy)]
    targets = []
    for dx, dy in jumps:
        if 0 <= x + dx < 8 and 1 <= y + dy <= 8:
            targets.append("abcdefgh"[x + dx] + str(y + dy))
    return targets


# call: deal_round("ABCDEF", 2)
# call: deal_round("ABCDEFG", 3)
# call: deal_round("", 2)
# call: deal_round("A23456789TJQKA23", 4)
# call: deal_round("AB", 3)
# call: deal_round("ABC", 0)
def deal_round(deck, players):
    hands = [""] * players
    rest = len(deck) % players
    for number, card in enumerate(deck[:len(deck) - rest]):
        seat = number % players
        hands[seat] += card
    stock = deck[len(deck) - rest:]
    return hands, stock or "nothing left"


# call: monopolyWalk(100, [5, 6, 4])
# call: monopolyWalk(50, [12])
# call: monopolyWalk(0, [])
# call: monopolyWalk(200, [10, 10, 9, 12, 7, 11, 3, 5], size=20)
# call: monopolyWalk(10, [4], tax=50)
# call: monopolyWalk("100", [4])
def monopolyWalk(money, rolls, size=12, tax=30):
    field = 0
    for roll in rolls:
        laps, field = divmod(field + roll, size)
        money += 20 * laps
        if field == 4:
            money -= tax
        if money < 0:
            return "bankrupt", field
    return money, field


# call: war(["7", "K"], ["9", "2"])
# call: war(["A"], ["A"])
# call: war([], [])
# call: war(["2", "Q", "7", "9", "A", "3"], ["2", "K", "6", "9", "5", "4"])
# call: war(["10"], [])
# call: war(["1"], ["2"])
def war(ann, bob):
    ranks = {r: i for i, r in enumerate("2 3 4 5 6 7 8 9 10 J Q K A".split())}
    score = {"ann": 0, "bob": 0}
    pot = 0
    for a, b in zip(ann, bob):
        pot += 2
        if ranks[a] == ranks[b]:
            continue
        score["ann" if ranks[a] > ranks[b] else "bob"] += pot
        pot = 0
    return score, pot


# call: dart_leg(101, [60, 20, 21])
# call: dart_leg(40, [20, 20])
# call: dart_leg(2, [])
# call: dart_leg(170, [60, 57, 20, 1, 25, 5, 2])
# call: dart_leg(30, [29, 2, 15, 15])
# call: dart_leg(50, ["bull"])
def dart_leg(start, throws):
    left = start
    busts = 0
    for number, points in enumerate(throws, 1):
        after = left - points
        if after == 0:
            return f"out with dart {number}"
        if after < 2:
            busts += 1
        else:
            left = after
    return left, busts


# call: memory_pairs("ABBA", [(0, 3), (1, 2)])
# call: memory_pairs("ABAB", [(0, 1), (0, 2)])
# call: memory_pairs("", [])
# call: memory_pairs("ABCDDCBA", [(0, 1), (3, 4), (2, 6), (2, 5), (0, 7), (3, 4)])
# call: memory_pairs("AB", [(1, 1)])
# call: memory_pairs("AB", [(0, 5)])
def memory_pairs(cards, flips):
    table = list(cards)
    won = []
    for first, second in flips:
        if first == second:
            continue
        picture = table[first]
        if picture and picture == table[second]:
            won.append(picture * 2)
            table[first] = table[second] = ""
    rest = len("".join(table))
    return won, f"{rest} left on the table"


# call: robot_path("FFRF", 5)
# call: robot_path("LF", 3)
# call: robot_path("", 4)
# call: robot_path("FFFRFFLFFRFFRFFFF", 4)
# call: robot_path("RRF", 2)
# call: robot_path("FB", 4)
def robot_path(program, size):
    # clockwise: north, east, south, west
    steps = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    x = y = facing = bumps = 0
    for step in program:
        if step == "F":
            nx, ny = x + steps[facing][0], y + steps[facing][1]
            if nx in range(size) and ny in range(size):
                x, y = nx, ny
            else:
                bumps += 1
        else:
            facing = (facing + {"R": 1, "L": -1}[step]) % 4
    return (x, y), "NESW"[facing], bumps


# call: league([("A", "B", 2, 1), ("B", "A", 0, 0)])
# call: league([("A", "B", 0, 3)])
# call: league([])
# call: league([("A", "B", 1, 1), ("C", "A", 2, 0), ("B", "C", 3, 3), ("A", "C", 4, 1), ("C", "B", 0, 1)])
# call: league([("A", "A", 1, 0)])
# call: league([("A", "B", 2)])
def league(matches):
    points, goals = {}, {}
    for home, away, h, a in matches:
        for team, own, other in ((home, h, a), (away, a, h)):
            points[team] = points.get(team, 0) + (3 if own > other else own == other)
            goals[team] = goals.get(team, 0) + own - other
    table = sorted(points, key=lambda t: (-points[t], -goals[t], t))
    return [f"{t} {points[t]} ({goals[t]:+d})" for t in table]


# call: dice_text([6, 1, 3])
# call: dice_text([2])
# call: dice_text([])
# call: dice_text([1, 2, 3, 4, 5, 6, 6, 5])
# call: dice_text([0, -1])
# call: dice_text([7])
def dice_text(dice):
    faces = " ⚀⚁⚂⚃⚄⚅"
    return "".join(faces[d] for d in dice) + f" = {sum(dice)}"


# call: farkle([1, 5, 2, 2])
# call: farkle([3, 3, 3, 1])
# call: farkle([])
# call: farkle([5, 5, 5, 1, 1, 2, 6])
# call: farkle([1, 1, 1, 1])
# call: farkle([1, "5"])
def farkle(dice):
    score = 0
    for face in range(1, 7):
        n = dice.count(face)
        if n >= 3:
            score += 1000 if face == 1 else face * 100
            n -= 3
        score += n * {1: 100, 5: 50}.get(face, 0)
    if any(d not in range(1, 7) for d in dice):
        raise ValueError("no such die")
    return score


# call: neighbour_mines(["*..", "...", "..*"])
# call: neighbour_mines([".*"])
# call: neighbour_mines(["."])
# call: neighbour_mines(["*.*", "...", "**."])
# call: neighbour_mines(["*"])
# call: neighbour_mines(["*.", "."])
def neighbour_mines(field):
    result = []
    for r, row in enumerate(field):
        text = ""
        for c, cell in enumerate(row):
            if cell == "*":
                text += "*"
                continue
            around = [line[max(c - 1, 0):c + 2] for line in field[max(r - 1, 0):r + 2]]
            mines = "".join(around).count("*")
            # a row that is too short sees fewer mines
            assert len(row) == len(field[0]), f"row {r} is ragged"
            text += str(mines or ".")
        result.append(text)
    return result


# call: elo_change(1500, 1500, 1)
# call: elo_change(1800, 1600, 0.5)
# call: elo_change(0, 0, 0)
# call: elo_change(2412, 2105, 0, k=16)
# call: elo_change(1000, 3000, 1)
# call: elo_change(1500, "1500", 1)
def elo_change(own, other, result, k=32):
    expected = 1 / (1 + 10 ** ((other - own) / 400))
    gain = round(k * (result - expected))
    return f"{own} -> {own + gain} ({expected:.2f} expected)"


# call: Dungeon(20).explore(["rat", "potion", "orc"])
# call: Dungeon(5).explore(["orc", "rat"])
# call: Dungeon(10).explore([])
# call: Dungeon(30).explore(["rat", "sword", "orc", "orc", "potion", "troll", "shield", "troll", "chest"])
# call: Dungeon(10).explore(["potion", "chest"])
# call: Dungeon(10).explore(["dragon"])
class Dungeon:
    MONSTERS = {"rat": 2, "orc": 6, "troll": 11}

    def __init__(self, health):
        self.health = self.full = health
        self.items = set()
        self.gold = 0

    def fight(self, monster):
        damage = self.MONSTERS[monster]
        if "sword" in self.items:
            damage //= 2
        if "shield" in self.items:
            damage -= 1
        self.health -= max(damage, 0)
        self.gold += self.MONSTERS[monster]

    def explore(self, rooms):
        for room in rooms:
            if room in ("sword", "shield"):
                self.items.add(room)
            elif room == "potion":
                self.health = min(self.health + 8, self.full)
            elif room == "chest":
                self.gold *= 2
            else:
                self.fight(room)
            if self.health <= 0:
                return f"died of {room} with {self.gold} gold"
        return self.health, self.gold


# call: shuffle_cut("ABCDEF", "rc")
# call: shuffle_cut("1234", "r")
# call: shuffle_cut("", "c")
# call: shuffle_cut("ABCDEFGHIJ", "rrcb")
# call: shuffle_cut("ABC", "r")
# call: shuffle_cut("ABCD", "x")
def shuffle_cut(deck, how):
    def riffle(d):
        half = (len(d) + 1) // 2
        mixed = ""
        for i in range(half):
            mixed += d[i] + d[half + i:half + i + 1]
        return mixed

    def cut(d):
        at = len(d) // 3
        if at == 0:
            return d
        return f"{d[at:]}{d[:at]}"

    tricks = {"r": riffle, "c": cut, "b": lambda d: d[-1:] + d[:-1]}
    for letter in how:
        deck = tricks[letter](deck)
    return deck


# call: poker_flush("AH 9H 3H KH 2H")
# call: poker_flush("9S 8S 7S 6S 5S")
# call: poker_flush("2C")
# call: poker_flush("AD 2D 3D 4D 5D")
# call: poker_flush("AD 2C 3D 4D 5D")
# call: poker_flush("")
def poker_flush(hand):
    cards = hand.split()
    ranks = sorted("23456789TJQKA".index(c[0]) for c in cards)
    same_suit = len({c[1] for c in cards}) == 1
    in_row = all(b - a == 1 for a, b in zip(ranks, ranks[1:]))
    wheel = ranks == [0, 1, 2, 3, 12]
    top = "23456789TJQKA"[ranks[3 if wheel else -1]]
    match same_suit, in_row or wheel:
        case True, True:
            return "straight flush to " + top
        case True, False:
            return "flush, high card " + top
        case False, True:
            return "straight to " + top
    return top


# call: word_score("house")
# call: word_score("quiz", double=2)
# call: word_score("")
# call: word_score("extraordinary", triple=1, double=12)
# call: word_score("a b")
# call: word_score(None)
def word_score(word, double=None, triple=None):
    values = {1: "aeilnorstu", 2: "dg", 3: "bcmp", 4: "fhvwy", 5: "k", 8: "jx", 10: "qz"}
    score = 0
    for i, letter in enumerate(word):
        for value, letters in values.items():
            if letter in letters:
                score += value * (2 if i == double else 3 if i == triple else 1)
                break
        else:
            return -1
    if len(word) > 6:
        score += 50
    return score


# call: domino_chain([(1, 2), (2, 5)])
# call: domino_chain([(6, 6), (3, 6)])
# call: domino_chain([])
# call: domino_chain([(0, 3), (5, 3), (5, 5), (2, 5), (2, 2), (1, 2), (1, 6)])
# call: domino_chain([(1, 2), (3, 4), (4, 1)])
# call: domino_chain([(1, 2), (2,)])
def domino_chain(stones):
    chain = []
    for left, right in stones:
        if not chain or chain[-1][1] == left:
            chain.append((left, right))
        elif chain[-1][1] == right:
            chain.append((right, left))
        elif chain[0][0] in (left, right):
            chain.insert(0, (left, right) if chain[0][0] == right else (right, left))
        else:
            return "does not fit", (left, right)
    return chain


# call: high_scores([("ann", 30), ("bob", 50)], 2)
# call: high_scores([("ann", 5)])
# call: high_scores([])
# call: high_scores([("a", 10), ("b", 40), ("a", 35), ("c", 40), ("d", 5), ("b", 20), ("e", 38), ("c", 41)], 4)
# call: high_scores([("a", 0), ("a", -3)])
# call: high_scores([("a", 10), ("a", "11")])
def high_scores(games, size=3):
    best = {}
    for player, score in games:
        if player not in best or score > best[player]:
            best[player] = score
    rows = []
    place = 0
    last = None
    for n, (player, score) in enumerate(sorted(best.items(), key=lambda x: -x[1]), 1):
        if score != last:
            place, last = n, score
        if place > size:
            break
        rows.append(f"{place}. {player:.<8}{score:>4}")
    return rows


# call: tug_of_war([3, 5], [4, 4])
# call: tug_of_war([9, 1, 1], [2, 2, 2])
# call: tug_of_war([], [])
# call: tug_of_war([3, 4, 5, 2, 6, 1], [4, 4, 2, 3, 3, 5], win=4)
# call: tug_of_war([5, 5], [1, 1], win=100)
# call: tug_of_war([5], ["5"])
def tug_of_war(left, right, win=5):
    rope = 0
    for second, (l, r) in enumerate(zip(left, right)):
        rope += r - l
        if abs(rope) >= win:
            side = "left" if rope < 0 else "right"
            return f"{side} wins in second {second}"
    picture = ["-"] * 11
    picture[max(0, min(10, 5 + rope))] = "o"
    return "".join(picture)


# call: reveal([["a", "b"], ["c"]], [(0, 1), (1, 0)])
# call: reveal([["x"]], [])
# call: reveal([], [])
# call: reveal([["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]], [(0, 0), (2, 2), (1, 1), (0, 0), (-1, 0)])
# call: reveal([["a"], ["b"]], [(-1, -1)])
# call: reveal([["a"]], [(1, 0)])
def reveal(board, picks):
    hidden = [["#"] * len(row) for row in board]
    twice = 0
    for r, c in picks:
        twice += hidden[r][c] != "#"
        hidden[r][c] = board[r][c]
    return ["".join(row) for row in hidden], twice


# call: bad_board(2, 3, [(0, 1)])
# call: bad_board(1, 2, [(0, 0)])
# call: bad_board(2, 2, [])
# call: bad_board(4, 4, [(0, 0), (1, 1), (2, 2), (3, 3)])
# call: bad_board(0, 3, [])
# call: bad_board(2, 2, [(2, 0)])
def bad_board(rows, columns, stones):
    # all rows are one and the same list
    board = [["."] * columns] * rows
    for r, c in stones:
        board[r][c] = "o"
    return board, sum(row.count("o") for row in board)


# call: nim_play([3, 4], [(0, 2), (1, 4), (0, 1)])
# call: nim_play([5], [(0, 5)])
# call: nim_play([], [])
# call: nim_play([2, 3, 4], [(2, 1), (1, 3), (0, 1), (2, 2), (0, 1), (2, 1)])
# call: nim_play([3], [(0, 4)])
# call: nim_play([3], [(1, 1)])
class IllegalMove(ValueError):
    pass


def nim_play(piles, moves):
    players = ["first", "second"]
    for heap, take in moves:
        try:
            if not 1 <= take <= piles[heap]:
                raise IllegalMove(f"{players[0]} takes {take} of {piles[heap]}")
        except IllegalMove as e:
            return str(e)
        piles[heap] -= take
        if not any(piles):
            return f"{players[0]} takes the last"
        players.reverse()
    return piles


# call: rummy_sets(["5H", "5S", "5D", "2C"])
# call: rummy_sets(["KH", "KS"])
# call: rummy_sets([])
# call: rummy_sets(["7H", "8H", "9H", "7S", "7D", "QC", "QD", "QH", "QS", "2C"])
# call: rummy_sets(["5H", "5H", "5H"])
# call: rummy_sets([5, "5H"])
def rummy_sets(hand):
    by_rank = {}
    for card in hand:
        by_rank.setdefault(card[:-1], set()).add(card[-1])
    sets = {rank for rank, suits in by_rank.items() if len(suits) > 2}
    deadwood = [card for card in hand if card[:-1] not in sets]
    return sorted(sets), deadwood


# call: simon_says(["red", "blue"], ["red", "blue"])
# call: simon_says(["red", "blue", "red"], ["red", "red"])
# call: simon_says([], [])
# call: simon_says(["r", "g", "b", "y", "r", "r", "g"], ["r", "g", "b", "y", "r", "g", "g"])
# call: simon_says(["r"], ["r", "g"])
# call: simon_says(["r"], None)
def simon_says(sequence, pressed):
    for turn, (want, got) in enumerate(zip(sequence, pressed), 1):
        if want != got:
            return f"wrong at {turn}: {got} for {want}"
    missing = len(sequence) - len(pressed)
    if missing > 0:
        return f"{missing} to go"
    return "well done" if not missing else f"{-missing} too many"


# call: life_points([("hit", 3), ("heal", 2)])
# call: life_points([("hit", 12)])
# call: life_points([])
# call: life_points([("hit", 4), ("poison", 2), ("heal", 5), ("hit", 1), ("cure", 0), ("hit", 3), ("heal", 9)])
# call: life_points([("cure", 1), ("heal", 50)])
# call: life_points([("bite", 1)])
def life_points(events, life=10, most=12):
    poison = 0
    for n, (what, size) in enumerate(events):
        match what:
            case "hit":
                life -= size
            case "heal":
                life = min(life + size, most)
            case "poison":
                poison += size
            case "cure":
                poison = 0
            case _:
                raise ValueError(what)
        life -= poison
        if life <= 0:
            return f"dead at event {n}"
    return life, poison


# call: chess_material("RNBQK/ppp")
# call: chess_material("Kk")
# call: chess_material("8/8")
# call: chess_material("r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R")
# call: chess_material("QQQ/x")
# call: chess_material(["K", 8])
def chess_material(board):
    values = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}
    sides = {True: 0, False: 0}
    for ch in board:
        sides[ch.isupper()] += values.get(ch.lower(), 0)
    lead = sides[True] - sides[False]
    return (("white" if lead > 0 else "black") + f" +{abs(lead)}") if lead else "level"


# call: team_draft(["Ann", "Bob", "Cy", "Dee", "Eli"], ["red", "blue"])
# call: team_draft(["Ann"], ["red"])
# call: team_draft([], ["red"])
# call: team_draft(["A", "B", "C", "D", "E", "F", "G", "H", "I"], ["x", "y", "z"])
# call: team_draft(["A"], ["x", "y"])
# call: team_draft(["A"], [])
from itertools import chain, cycle


def team_draft(players, teams):
    """Snake draft: forwards, then backwards."""
    order = cycle(chain(teams, reversed(teams)))
    picks = {team: [] for team in teams}
    for player, team in zip(players, order):
        picks[team].append(player)
    if players and not any(picks.values()):
        raise RuntimeError("no teams")
    return picks


# call: Die([3, 5, 1]).total(2)
# call: Die([6, 6, 2], explode=True).total(2)
# call: Die([]).total(0)
# call: Die([2, 6, 4, 6, 6, 1, 3, 5], explode=True).total(5)
# call: Die([4]).total(1)
# call: Die([1, 2]).total(3)
class Die:
    """A die with given results, to test games."""

    def __init__(self, results, explode=False):
        self._results = iter(results)
        self.explode = explode
        self.rolled = 0

    def roll(self):
        try:
            value = next(self._results)
        except StopIteration:
            raise IndexError(f"only {self.rolled} rolls") from None
        self.rolled += 1
        if value == 6 and self.explode:
            value += self.roll()
        return value

    def total(self, n):
        return sum(self.roll() for _ in range(n)), self.rolled


# call: bingo([[1, 2], [3, 4]], [1, 4, 3])
# call: bingo([[7]], [7])
# call: bingo([], [1])
# call: bingo([[5, 18, 33], [2, 20, 31], [9, 16, 40]], [40, 2, 18, 31, 7, 5, 20, 33])
# call: bingo([[1, 2], [3, 4]], [8, 9])
# call: bingo([[1, 2], [3]], None)
def bingo(card, drawn):
    for n in range(1, len(drawn) + 1):
        called = set(drawn[:n])
        if any(called.issuperset(row) for row in card):
            return n, "row"
        if card and any(called.issuperset(col) for col in zip(*card)):
            return n, "column"
    return None


# call: quiz_points([True, True, False, True])
# call: quiz_points([False])
# call: quiz_points([])
# call: quiz_points([1, 1, 1, 0, 1, 1, 0, 0, 1, 1, 1, 1])
# call: quiz_points(["no", "", "yes"])
# call: quiz_points(True)
def quiz_points(answers):
    points, streak = 0, 0
    for right in answers:
        if right:
            streak += 1
            points += 10 * min(streak, 3)
        else:
            streak = 0
            points -= 5 if points >= 5 else points
    return points


# call: fuel_race({"A": (10, 2), "B": (9, 3)}, 20)
# call: fuel_race({"X": (5, 1)}, 10)
# call: fuel_race({}, 5)
# call: fuel_race({"A": (12, 4), "B": (7, 9), "C": (11, 5), "D": (20, 1)}, 60)
# call: fuel_race({"A": (3, 0)}, 9)
# call: fuel_race({"A": (0, 1)}, 9)
def fuel_race(cars, track):
    results = {}
    for name, (speed, tanks) in cars.items():
        rounds = -(-track // speed)
        results[name] = rounds if rounds <= tanks * 2 else "out of fuel"
    finished = [n for n, r in results.items() if r != "out of fuel"]
    return results, min(finished, key=results.get, default="nobody")


# call: chess_clock("wb", [5, 7])
# call: chess_clock("ab", [3, 4, 10], 20, 2)
# call: chess_clock("wb", [])
# call: chess_clock("xy", [10, 12, 8, 9, 15, 3, 20, 6], 60, 3)
# call: chess_clock("wb", [31])
# call: chess_clock("w", [1, 2])
def chess_clock(players, thinking, start=30, bonus=0):
    left = [start, start]
    for move, seconds in enumerate(thinking):
        side = move & 1
        left[side] -= seconds
        if left[side] < 0:
            return players[side] + " lost on time"
        left[side] += bonus
    return {players[0]: left[0], players[1]: left[1]}


# call: auction_game([("Ann", 10), ("Bob", 12)], {"Ann": 50, "Bob": 40})
# call: auction_game([("Ann", 60)], {"Ann": 50})
# call: auction_game([], {})
# call: auction_game([("A", 5), ("B", 6), ("C", 6), ("A", 9), ("B", 30), ("C", 14), ("A", 15)], {"A": 15, "B": 20, "C": 14})
# call: auction_game([("A", 0)], {"A": 0})
# call: auction_game([("Zed", 5)], {"A": 10})
def auction_game(bids, purse):
    top, leader, refused = 0, None, []
    for who, bid in bids:
        if top < bid <= purse[who]:
            top, leader = bid, who
        else:
            refused.append((who, bid))
    if leader is not None:
        purse[leader] -= top
    return leader, top, refused, purse


# call: cave_map({"hall": ["cave", "shaft"], "cave": ["lake"]}, "hall")
# call: cave_map({"a": []}, "a")
# call: cave_map({}, "x")
# call: cave_map({"a": ["b", "c"], "b": ["d"], "c": ["d", "e"], "d": ["a"], "e": ["f"], "z": ["a"]}, "a")
# call: cave_map({"a": ["a"]}, "a")
# call: cave_map({"a": None}, "a")
def cave_map(tunnels, start):
    torch = {start: 0}
    for room in (order := [start]):
        for following in tunnels.get(room, []):
            if following not in torch:
                torch[following] = torch[room] + 1
                order.append(following)
    return [f"{room}{torch[room]}" for room in order]
