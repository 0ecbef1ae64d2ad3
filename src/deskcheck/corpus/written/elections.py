# call: ballot_totals(["Ito", "Ruiz", "Ito"])
# call: ballot_totals(["Ruiz", "", "Ruiz", "Ito", ""])
# call: ballot_totals([])
# call: ballot_totals(["A", "B", "C", "A", "B", "A", "D", "A", "C", "B"])
# call: ballot_totals(["", "", ""])
# call: ballot_totals(["Ito", 7, None])
def ballot_totals(papers):
    totals = {}
    blank = 0
    for name in papers:
        if not name:
            blank += 1
            continue
        totals[name] = totals.get(name, 0) + 1
    totals["blank"] = blank
    return totals


# call: droop_quota(100, 4)
# call: droop_quota(2503, 6)
# call: droop_quota(0, 1)
# call: droop_quota(123456789, 29)
# call: droop_quota(10, -1)
# call: droop_quota(10, 0, True)
def droop_quota(votes: int, seats: int, exact: bool = False):
    if exact:
        return votes / seats
    return votes // (seats + 1) + 1


# call: highest_averages({"Red": 100, "Blue": 80, "Green": 30}, 5)
# call: highest_averages({"Oak": 53, "Elm": 24, "Fir": 23}, 7)
# call: highest_averages({"Solo": 9}, 0)
# call: highest_averages({"A": 340, "B": 280, "C": 160, "D": 60}, 9)
# call: highest_averages({"X": 50, "Y": 50}, 3)
# call: highest_averages({}, 1)
def highest_averages(votes, seats):
    won = {party: 0 for party in votes}
    for _ in range(seats):
        best = max(votes, key=lambda party: votes[party] / (won[party] + 1))
        won[best] += 1
    return won


# call: remainder_seats({"Red": 47, "Blue": 33, "Green": 20}, 10)
# call: remainder_seats({"N": 410, "S": 370, "W": 220}, 7)
# call: remainder_seats({"N": 1}, 1)
# call: remainder_seats({"a": 15, "b": 91, "c": 33, "d": 48, "e": 13}, 11)
# call: remainder_seats({"up": 5, "down": 5}, 1)
# call: remainder_seats({"none": 0}, 3)
def remainder_seats(votes, seats):
    total = sum(votes.values())
    result, left = {}, {}
    for party, count in votes.items():
        result[party], left[party] = divmod(count * seats, total)
    spare = seats - sum(result.values())
    for party in sorted(left, key=left.get, reverse=True)[:spare]:
        result[party] += 1
    return result


# call: needs_runoff({"Ana": 45, "Bo": 40, "Cy": 15})
# call: needs_runoff({"Ana": 60, "Bo": 40})
# call: needs_runoff({})
# call: needs_runoff({"p": 12, "q": 31, "r": 29, "s": 8, "t": 20, "u": 31})
# call: needs_runoff({"Ana": 50, "Bo": 50})
# call: needs_runoff({"Ana": "many"})
def needs_runoff(counts):
    if not counts:
        return False, ()
    total = sum(counts.values())
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    if 2 * ranked[0][1] > total:
        return False, (ranked[0][0],)
    return True, tuple(name for name, _ in ranked[:2])


# call: rank_points(["ABC", "BAC"])
# call: rank_points(["CAB", "CBA", "ACB"])
# call: rank_points([])
# call: rank_points(["ABCD", "DCBA", "BADC", "CDAB"])
# call: rank_points(["A", "AB", ""])
# call: rank_points([("x", 1), (1, "x")])
def rank_points(ballots):
    points = {}
    for ballot in ballots:
        for place, who in enumerate(reversed(ballot)):
            points.setdefault(who, 0)
            points[who] += place
    return sorted(points.items(), key=lambda p: p[1], reverse=True)


# call: beats_head_to_head("A", "B", ["AB", "BA", "ACB"])
# call: beats_head_to_head("C", "A", ["ABC", "CAB"])
# call: beats_head_to_head("A", "B", [])
# call: beats_head_to_head("B", "D", ["ABCD", "DBCA", "BDAC", "CADB", "DCBA"])
# call: beats_head_to_head("A", "A", ["AB"])
# call: beats_head_to_head("A", "Z", ["AB", "BZA"])
def beats_head_to_head(one, other, ballots):
    margin = 0
    for b in ballots:
        margin += 1 if b.index(one) < b.index(other) else -1
    return margin > 0


# call: coalitionsOver({"Red": 40, "Blue": 35, "Green": 25}, 50)
# call: coalitionsOver({"A": 10, "B": 20, "C": 5}, 30)
# call: coalitionsOver({}, 0)
# call: coalitionsOver({"N": 31, "S": 29, "E": 22, "W": 18}, 51)
# call: coalitionsOver({"A": 60, "B": 40}, 50)
# call: coalitionsOver({"A": 1, "B": 2}, 10)
from itertools import combinations

def coalitionsOver(seats, half):
    # only pairs are considered workable
    return [
        f"{a}+{b}={seats[a] + seats[b]}"
        for a, b in combinations(sorted(seats), 2)
        if seats[a] + seats[b] > half
    ]


# call: turnout_text(620, 1000)
# call: turnout_text(1, 3)
# call: turnout_text(0, 1)
# call: turnout_text(3456789, 5123456)
# call: turnout_text(11, 10)
# call: turnout_text(5, 0)
def turnout_text(cast, enrolled):
    try:
        share = cast / enrolled
    except ZeroDivisionError:
        return "no voters"
    else:
        if share > 1:
            raise ValueError("more votes than voters")
        return f"{share:.1%} of {enrolled:,}"
    finally:
        enrolled = None


# call: districtWinners({"North": {"Red": 3, "Blue": 5}, "South": {"Red": 9}})
# call: districtWinners({"D1": {"a": 1, "b": 1}})
# call: districtWinners({})
# call: districtWinners({"d1": {"x": 4, "y": 2}, "d2": {"y": 7, "x": 6}, "d3": {"z": 1, "x": 0}, "d4": {"x": 3}})
# call: districtWinners({"Void": {}, "East": {"Red": 1}})
# call: districtWinners({"North": [3, 5]})
def districtWinners(districts):
    winners = {}
    for district in districts:
        best = -1
        for party, votes in districts[district].items():
            if votes >= best:
                best = votes
                winners[district] = party
    return winners


# call: swing_between({"Red": 40, "Blue": 60}, {"Red": 55, "Blue": 45})
# call: swing_between({"A": 10}, {"B": 10})
# call: swing_between({}, {})
# call: swing_between({"A": 33, "B": 30, "C": 22, "D": 15}, {"A": 28, "B": 36, "C": 22, "E": 14})
# call: swing_between({"A": 5}, {"A": 5})
# call: swing_between({"A": 5}, {"A": "5"})
def swing_between(before, after):
    changes = {p: after.get(p, 0) - before.get(p, 0) for p in before.keys() | after.keys()}
    return {p: f"{c:+d}" for p, c in sorted(changes.items()) if c}


# call: threshold_filter({"Big": 70, "Mid": 26, "Tiny": 4})
# call: threshold_filter({"Big": 70, "Mid": 26, "Tiny": 4}, percent=3)
# call: threshold_filter({})
# call: threshold_filter({"a": 310, "b": 207, "c": 49, "d": 50, "e": 384}, 5)
# call: threshold_filter({"a": 5, "b": 95}, 5)
# call: threshold_filter({"a": 1}, None)
def threshold_filter(votes, percent=5):
    total = sum(votes.values())
    return [name for name in votes if votes[name] * 100 >= percent * total]


# call: BallotBox().cast_all(["ann:red", "bob:blue"])
# call: BallotBox(1).cast_all(["ann:red", "bob:blue"])
# call: BallotBox().cast_all([])
# call: BallotBox(9).cast_all(["a:x", "b:y", "c:x", "a:y", "d:z", "b:y", "e:x"])
# call: BallotBox(4).cast_all(["ann:red", "ann:blue"])
# call: BallotBox().cast_all(["annred"])
class BallotBox:
    def __init__(self, size=5):
        self.size = size
        self.papers = []
        self.voters = set()

    def cast(self, voter, choice):
        if voter in self.voters:
            return "twice"
        if len(self.papers) == self.size:
            return "full"
        self.voters.add(voter)
        self.papers.append(choice)
        return "ok"

    def cast_all(self, lines):
        answers = []
        for line in lines:
            voter, choice = line.split(":")
            answers.append(self.cast(voter, choice))
        return answers, self.papers


# call: mergePrecincts({"Red": 4}, {"Red": 2, "Blue": 1})
# call: mergePrecincts({"A": 1}, {"B": 2}, {"C": 3})
# call: mergePrecincts()
# call: mergePrecincts({"a": 5, "b": 9}, {"b": 1, "c": 7}, {"a": 2}, {"d": 8, "b": 3})
# call: mergePrecincts({}, {})
# call: mergePrecincts({"A": 1}, {"A": "x"})
def mergePrecincts(*precincts):
    whole = {}
    for p in precincts:
        for k, v in p.items():
            whole[k] = whole[k] + v if k in whole else v
    return whole


# call: first_to_majority(["R", "B", "R", "R", "B"], 5)
# call: first_to_majority(["B", "B", "R"], 3)
# call: first_to_majority([], 3)
# call: first_to_majority(["R", "G", "B", "G", "G", "R", "G", "B", "G", "G"], 11)
# call: first_to_majority(["R", "B", "G"], 3)
# call: first_to_majority(["R", ["B"]], 2)
def first_to_majority(results, seats):
    have = {}
    for night, party in enumerate(results, start=1):
        have[party] = have.get(party, 0) + 1
        if have[party] > seats // 2:
            break
    else:
        return "hung"
    return f"{party} after {night}"


# call: parse_returns("Red 12; Blue 7; Green 3")
# call: parse_returns("Red 12;Red 5")
# call: parse_returns("")
# call: parse_returns("Old Town 104; New Town 88; Harbour 9; Hill 1; Lake Side 73")
# call: parse_returns("Red twelve; Blue 7")
# call: parse_returns(None)
import re

def parse_returns(text):
    """Read 'name number' pairs separated by semicolons."""
    found = {}
    for piece in text.split(";"):
        m = re.fullmatch(r"\s*([A-Za-z ]+?)\s+(\d+)\s*", piece)
        if m:
            found[m.group(1)] = int(m[2])
    return found


# call: recount_margin(510, 490)
# call: recount_margin(5003, 4999, 50)
# call: recount_margin(0, 0)
# call: recount_margin(1234567, 1230001, 200)
# call: recount_margin(10, 10)
# call: recount_margin("10", 9)
def recount_margin(first, second, per_mille=5):
    gap = abs(first - second)
    total = first + second
    if gap == 0:
        return "tie, draw lots"
    if gap * 1000 <= total * per_mille:
        return "recount"
    return "declared by %d" % gap


# call: transfer_surplus({"Ann": 70, "Bob": 20, "Cat": 10}, 50, {"Bob": 3, "Cat": 1})
# call: transfer_surplus({"Ann": 60, "Bob": 5}, 40, {"Bob": 2})
# call: transfer_surplus({}, 10, {})
# call: transfer_surplus({"a": 97, "b": 40, "c": 31, "d": 12}, 46, {"b": 30, "c": 42, "d": 25})
# call: transfer_surplus({"Ann": 30, "Bob": 20}, 40, {"Bob": 1})
# call: transfer_surplus({"Ann": 70}, 50, {"Zed": 1})
def transfer_surplus(counts, quota, seconds):
    if not counts:
        return counts
    star = max(counts, key=counts.get)
    surplus = counts[star] - quota
    if surplus <= 0:
        return counts
    counts[star] = quota
    weight = sum(seconds.values())
    for name, n in seconds.items():
        counts[name] += surplus * n // weight
    return counts


# call: council_term("2019-2023")
# call: council_term("1999-2003", 2)
# call: council_term("0-0")
# call: council_term("1900-1905", length=1)
# call: council_term("2023-2019")
# call: council_term("2019/2023")
def council_term(span, length=4):
    start, end = (int(y) for y in span.split("-"))
    if end < start:
        raise ValueError("term ends before it starts")
    years = list(range(start, end, length))
    return years + [end] if years else [end]


# call: spoiled_papers(["X..", ".X.", "XX."])
# call: spoiled_papers(["...", "X.."])
# call: spoiled_papers([])
# call: spoiled_papers(["X...", ".X..", "..XX", "....", "X..X", "...X", "?..X"])
# call: spoiled_papers(["x.."])
# call: spoiled_papers([["X", "."], 5])
spoiled_papers = lambda papers: [i for i, p in enumerate(papers) if p.count("X") != 1]


# call: gallagher_gap([40, 60], [50, 50])
# call: gallagher_gap([33.3, 33.3, 33.4], [0, 100, 0])
# call: gallagher_gap([], [])
# call: gallagher_gap([41.2, 28.5, 14.1, 9.9, 6.3], [48, 30, 12, 8, 2])
# call: gallagher_gap([10, 20, 30], [10, 20])
# call: gallagher_gap([10], ["10"])
from math import sqrt

def gallagher_gap(votes, seats):
    squares = [(v - s) ** 2 for v, s in zip(votes, seats)]
    return round(sqrt(sum(squares) / 2), 2)


# call: keep_counting([5, 9, 4], {"seen": 1})
# call: keep_counting([5])
# call: keep_counting([])
# call: keep_counting([12, 7, 30, 4, 18, 22, 9, 1, 40, 3])
# call: keep_counting([-3, 3])
# call: keep_counting([1, "2"])
def keep_counting(batches, state={"seen": 0}):
    running = []
    for b in batches:
        state["seen"] += b
        running.append(state["seen"])
    return running, len(state)


# call: polling_queue([3, 1, 2], 2)
# call: polling_queue([5, 5], 1)
# call: polling_queue([], 3)
# call: polling_queue([4, 2, 7, 1, 3, 3, 2], 3)
# call: polling_queue([0, 1], 2)
# call: polling_queue([2, 2], 0)
import heapq

def polling_queue(minutes, booths):
    free = [0] * booths
    done = []
    for m in minutes:
        start = heapq.heappop(free)
        heapq.heappush(free, start + m)
        done.append(start + m)
    return done


# call: cabinetPosts(["Red", "Blue"], ["finance", "health", "roads"])
# call: cabinetPosts(["Solo"], ["finance"])
# call: cabinetPosts([], [])
# call: cabinetPosts(["A", "B", "C"], ["law", "work", "sea", "arts", "farm", "rail", "home", "post"])
# call: cabinetPosts(["A", "B"], [])
# call: cabinetPosts([], ["law"])
def cabinetPosts(parties, posts):
    given = {p: [] for p in parties}
    turn = 0
    while posts:
        who = parties[turn % len(parties)]
        given[who].append(posts.pop(0))
        turn += 1
    return given


# call: motion_result("yyn-y")
# call: motion_result("ynny")
# call: motion_result("")
# call: motion_result("yyyynnn--ynyyn-yyn")
# call: motion_result("----")
# call: motion_result("yqn")
def motion_result(calls):
    ayes = noes = 0
    for c in calls:
        match c:
            case "y":
                ayes += 1
            case "n":
                noes += 1
            case "-":
                pass
            case other:
                raise ValueError(f"odd vote {other!r}")
    if ayes == noes:
        return "speaker decides"
    return ("carried" if ayes > noes else "lost") + f" {ayes}:{noes}"


# call: pollAverage([41, 43.5, 40])
# call: pollAverage([30, 50], [1, 3])
# call: pollAverage([12])
# call: pollAverage([31, 35, 33, 36.5, 29, 34], [500, 1000, 800, 1200, 400, 950])
# call: pollAverage([10, 20, 30], [1, 1])
# call: pollAverage([])
def pollAverage(shares, sizes=None):
    sizes = sizes or [1] * len(shares)
    top = sum(s * n for s, n in zip(shares, sizes))
    return round(top / sum(sizes), 1)


# call: strength_chart({"Red": 6, "Blue": 3})
# call: strength_chart({"Greens": 10, "Us": 1}, "=")
# call: strength_chart({})
# call: strength_chart({"a": 1, "bb": 4, "ccc": 9, "dddd": 16}, ".")
# call: strength_chart({"Red": -2})
# call: strength_chart({"Red": 2.5})
def strength_chart(seats, mark="#"):
    width = max(map(len, seats), default=0)
    lines = []
    for name in sorted(seats, key=seats.get, reverse=True):
        lines.append(f"{name:>{width}} {mark * seats[name]}")
    return "\n".join(lines)


# call: Candidate("Ito", 40).against(Candidate("Ruiz", 60))
# call: Candidate("Ito", 40).against(Candidate("Ruiz", 30))
# call: Candidate("", 0).against(Candidate("", 0))
# call: Candidate("Longname", 123456).against(Candidate("Other", 123455))
# call: Candidate("Ito", 5).against(Candidate("Abe", 5))
# call: Candidate("Ito", 5).against("Abe")
class Candidate:
    def __init__(self, name, votes):
        self.name, self.votes = name, votes

    def __lt__(self, other):
        return (self.votes, other.name) < (other.votes, self.name)

    def __repr__(self):
        return f"<{self.name} {self.votes}>"

    def against(self, other):
        if self < other:
            return [repr(other), repr(self)]
        return [repr(self), repr(other)]


# call: committee_tree({"chair": "Mia", "subs": [{"chair": "Tom", "subs": []}]})
# call: committee_tree({"chair": "Mia"})
# call: committee_tree({})
# call: committee_tree({"chair": "a", "subs": [{"chair": "b", "subs": [{"chair": "c"}, {"chair": "a"}]}, {"chair": "d"}]})
# call: committee_tree({"subs": [{"chair": "x"}, {}]})
# call: committee_tree(["Mia"])
def committee_tree(node, depth=0):
    names = []
    if "chair" in node:
        names.append("-" * depth + node["chair"])
    for sub in node.get("subs", []):
        names += committee_tree(sub, depth + 1)
    return names


# call: blocksNeeded([40, 25, 20, 15])
# call: blocksNeeded([51, 49])
# call: blocksNeeded([])
# call: blocksNeeded([9, 14, 22, 3, 31, 8, 13])
# call: blocksNeeded([10, 10])
# call: blocksNeeded([5, None])
def blocksNeeded(strengths):
    half = sum(strengths) / 2
    got, used = 0, []
    for s in sorted(strengths)[::-1]:
        if got > half:
            break
        got += s
        used.append(s)
    return used


# call: eligible_voters([("Al", 17), ("Bea", 18), ("Cy", 44)])
# call: eligible_voters([("Al", 17)], age=16)
# call: eligible_voters([])
# call: eligible_voters([("a", 20), ("b", 12), ("c", 90), ("d", 18), ("e", 19), ("a", 33)])
# call: eligible_voters([("Al", 18.0), ("Bo", 17.99)])
# call: eligible_voters([("Al", "18")])
def eligible_voters(people, age=18):
    roll = []
    for name, years in people:
        if years >= age and name not in roll:
            roll.append(name)
    return roll


# call: lead_changes([("R", 10), ("B", 25), ("R", 30)])
# call: lead_changes([("R", 10), ("R", 5)])
# call: lead_changes([])
# call: lead_changes([("R", 8), ("B", 9), ("G", 20), ("R", 13), ("B", 11), ("G", 2), ("R", 4)])
# call: lead_changes([("R", 10), ("B", 10)])
# call: lead_changes([("R", 10), "B"])
def lead_changes(batches):
    totals, leader, changes = {}, None, 0
    for party, n in batches:
        totals[party] = totals.get(party, 0) + n
        now = max(totals, key=lambda p: totals[p])
        if leader and now != leader:
            changes += 1
        leader = now
    return changes, leader


# call: gender_zip(["Ana", "Eva"], ["Tom", "Jon"])
# call: gender_zip(["Ana"], ["Tom", "Jon", "Lev"])
# call: gender_zip([], [])
# call: gender_zip(["a", "b", "c", "d", "e"], ["v", "w", "x", "y"])
# call: gender_zip(["Ana", "Eva"], [])
# call: gender_zip("AB", ["Tom"])
from itertools import zip_longest

def gender_zip(women, men):
    slate = [n for pair in zip_longest(women, men) for n in pair if n is not None]
    return [f"{i}. {n}" for i, n in enumerate(slate, 1)]


# call: veto_round(["park", "pool", "rink"], {"Kim": "pool"})
# call: veto_round(["park", "pool"], {"Kim": "pool", "Lou": "park"})
# call: veto_round([], {})
# call: veto_round(["a", "b", "c", "d", "e"], {"K": "b", "L": "d", "M": "b", "N": "e"})
# call: veto_round(["park"], {})
# call: veto_round(["park"], {"Kim": ["park"]})
def veto_round(options, vetoes):
    left = options
    for voter in sorted(vetoes):
        if vetoes[voter] in left:
            left.remove(vetoes[voter])
    return left, len(options)


# call: quorum_check([True, False, True], 2)
# call: quorum_check([True, True, True, False])
# call: quorum_check([])
# call: quorum_check([1, 0, 1, 1, 0, 0, 1, 1, 1, 0], 6)
# call: quorum_check([False], 0)
# call: quorum_check(["yes"], 1)
def quorum_check(present, need=None):
    if need is None:
        need = len(present) // 2 + 1
    return (n := sum(present)) >= need, need - n


# call: wardCode("Old Harbour", 3)
# call: wardCode("hill", 12)
# call: wardCode("", 0)
# call: wardCode("upper saint mary by the sea", 104)
# call: wardCode("A", -1)
# call: wardCode("Hill", "3")
def wardCode(name, number):
    initials = "".join(w[0].upper() for w in name.split())
    return "%s-%03d" % (initials or "?", number)


# call: dropLowest({"Ann": 12, "Bob": 7, "Cat": 9}, {"Bob": "Cat"})
# call: dropLowest({"Ann": 3, "Bob": 4}, {"Ann": "Bob"})
# call: dropLowest({"Ann": 1}, {})
# call: dropLowest({"a": 40, "b": 31, "c": 12, "d": 25, "e": 9}, {"e": "d", "c": "b", "d": "b"})
# call: dropLowest({"Ann": 3, "Bob": 3, "Cat": 3}, {"Ann": "Cat"})
# call: dropLowest({}, {})
def dropLowest(piles, heirs):
    story = []
    while len(piles) > 2:
        last = min(piles, key=piles.get)
        papers = piles.pop(last)
        heir = heirs.get(last)
        if heir in piles:
            piles[heir] += papers
            story.append(f"{last}->{heir}")
        else:
            story.append(f"{last} exhausted {papers}")
    return max(piles, key=piles.get), story


# call: deposit_lost({"Ann": 90, "Bob": 10}, 500)
# call: deposit_lost({"Ann": 96, "Bob": 4}, 500)
# call: deposit_lost({}, 500)
# call: deposit_lost({"a": 503, "b": 48, "c": 19, "d": 401, "e": 22, "f": 7}, 1000)
# call: deposit_lost({"Ann": 19, "Bob": 1}, 500)
# call: deposit_lost({"Ann": 19, "Bob": 0.5}, "500")
def deposit_lost(votes, fee):
    total = sum(votes.values())
    kept_by_state = 0
    losers = []
    for who, n in votes.items():
        if n < total * 0.05:
            losers.insert(0, who)
            kept_by_state += fee
    return losers, kept_by_state


# call: Parliament({"Red": 5, "Blue": 4}).after(["Red>Blue"])
# call: Parliament({"Red": 1, "Blue": 4}).after(["Red>Blue"])
# call: Parliament({}).after([])
# call: Parliament({"a": 7, "b": 6, "c": 3}).after(["a>b", "c>a", "b>c", "c>d", "c>d", "b>d"])
# call: Parliament({"Red": 3}).after(["Red>Red"])
# call: Parliament({"Red": 3}).after(["Blue>Red"])
class Parliament:
    def __init__(self, groups):
        self.groups = dict(groups)

    def __len__(self):
        return sum(self.groups.values())

    def defect(self, old, new):
        self.groups[old] -= 1
        self.groups[new] = self.groups.get(new, 0) + 1
        if not self.groups[old]:
            del self.groups[old]

    def after(self, moves):
        for m in moves:
            self.defect(*m.split(">"))
        strong = [g for g, n in self.groups.items() if n * 2 > len(self)]
        return self.groups, strong


# call: recall_petition([40, 35, 50], 120)
# call: recall_petition([10, 10], 100)
# call: recall_petition([], 1)
# call: recall_petition([120, 80, 310, 44, 9, 150, 260, 75], 900)
# call: recall_petition([5], 0)
# call: recall_petition([5, "x", 9], 12)
def recall_petition(weeks, goal):
    signed = 0
    week = 0
    while signed < goal:
        if week == len(weeks):
            return f"failed, {goal - signed} short"
        signed += weeks[week]
        week += 1
    return f"reached in week {week}"


# call: weighted_senate({"North": ("aye", 3), "South": ("no", 2)})
# call: weighted_senate({"North": ("aye", 2), "South": ("no", 3)}, veto="North")
# call: weighted_senate({})
# call: weighted_senate({"a": ("aye", 4), "b": ("no", 7), "c": ("aye", 6), "d": ("abstain", 9), "e": ("no", 2)}, "b")
# call: weighted_senate({"North": ("abstain", 3)}, veto="West")
# call: weighted_senate({"North": ("aye",)})
def weighted_senate(states, veto=None):
    scale = 0
    for state, (answer, weight) in states.items():
        if state == veto and answer == "no":
            return "vetoed"
        scale += {"aye": weight, "no": -weight}.get(answer, 0)
    return ("passed", "tied", "failed")[(scale <= 0) + (scale < 0)]


# call: bellwether({"Hill": "RRB", "Lake": "RBB"}, "RRB")
# call: bellwether({"Hill": "RR", "Lake": "RR"}, "RR")
# call: bellwether({}, "R")
# call: bellwether({"a": "RBRBR", "b": "RRRRR", "c": "BBRBR", "d": "RBRBB"}, "RBRBB")
# call: bellwether({"Hill": ""}, "")
# call: bellwether({"Hill": 7}, "RB")
def bellwether(towns, nation):
    hits = lambda town: sum(map(str.__eq__, towns[town], nation))
    order = sorted(towns, key=hits, reverse=True)
    return [(t, hits(t)) for t in order[:2]]


# call: boundary_move([12, 30, 18], 0, 1, 5)
# call: boundary_move([12, 30, 18], 2, 0, 18)
# call: boundary_move([1], 0, 0, 0)
# call: boundary_move([210, 180, 305, 97, 144, 260], 2, 3, 85)
# call: boundary_move([5, 5], 0, 1, 9)
# call: boundary_move([5, 5], 0, 4, 2)
def boundary_move(sizes, source, target, people):
    old = sizes
    new = sizes[:]
    new[source] -= people
    new[target] += people
    assert min(new) >= 0, f"ward {new.index(min(new))} is empty"
    spread = max(new) - min(new)
    return new, old is sizes, spread


# call: canvass("31 yes, 32 no, 33 yes")
# call: canvass("31 yes, 31 no")
# call: canvass("1 away")
# call: canvass("2 yes, 4 yes, 5 no, 7 away, 8 yes, 11 no, 12 maybe, 13 away")
# call: canvass("10 YES")
# call: canvass("yes 31")
def canvass(notes):
    sides = {0: {}, 1: {}}
    for note in notes.split(", "):
        house, mood = note.split()
        side = sides[int(house) % 2]
        side[mood.lower()] = side.get(mood.lower(), 0) + 1
    return {"even": sides[0], "odd": sides[1]}
