# call: letter_grade(91)
# call: letter_grade(72.5)
# call: letter_grade(0)
# call: letter_grade(89.99)
# call: letter_grade(101)
# call: letter_grade("A")
def letter_grade(percent):
    if percent > 100 or percent < 0:
        return None
    elif percent >= 90:
        return "A"
    elif percent >= 75:
        return "B"
    elif percent >= 60:
        return "C"
    return "F"


# call: class_average({"Ann": [1, 2], "Bob": [3]})
# call: class_average({"Cy": [4, 4, 5]})
# call: class_average({})
# call: class_average({"A": [2, 2, 3], "B": [1, 1], "C": [], "D": [5, 4, 3.5], "E": [2.25]})
# call: class_average({"A": []})
# call: class_average({"A": 2})
def class_average(grades):
    points = count = 0
    empty = []
    for student, marks in grades.items():
        if not marks:
            empty.append(student)
        for mark in marks:
            points += mark
            count += 1
    mean = points / count if count else 0.0
    return "%.2f from %d marks, none of %s" % (mean, count, ", ".join(empty) or "nobody")


# call: Student("Ann").report([80, 90])
# call: Student("Bob", year=3).report([55, 45, 70])
# call: Student("Cy").report([])
# call: Student("Dorothea", year=12).report([99, 87.5, 100, 61, 73, 92, 88])
# call: Student("Eve").report([49])
# call: Student("Flo").report([80, "absent"])
class Student:
    def __init__(self, name, year=1):
        self.name = name
        self.year = year
        self.marks = []

    @property
    def mean(self):
        return sum(self.marks) / len(self.marks) if self.marks else 0.0

    @property
    def passed(self):
        return self.mean >= 50

    def report(self, marks):
        self.marks.extend(marks)
        word = "passed" if self.passed else "failed"
        return f"{self.name:>8} ({self.year:02d}) {self.mean:6.2f} {word}"


# call: rank_students({"Ann": 88, "Bob": 92, "Cy": 88})
# call: rank_students({"Ann": 1})
# call: rank_students({})
# call: rank_students({"A": 50, "B": 70, "C": 70, "D": 90, "E": 50, "F": 10, "G": 70})
# call: rank_students({"A": 0, "B": -1})
# call: rank_students({"A": 88, "B": None})
def rank_students(points):
    ranks = {}
    for name, score in points.items():
        better = sum(other > score for other in points.values())
        ranks[name] = better + 1
    return ranks


# call: seat_pupils(["Ann", "Bob", "Cy"], 2)
# call: seat_pupils(["Ann"], 3)
# call: seat_pupils([], 2)
# call: seat_pupils(["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"], 4)
# call: seat_pupils(["A", "B"], 2)
# call: seat_pupils(["A", "B"], 0)
def seat_pupils(pupils, width):
    rows = -(-len(pupils) // width)
    chart = {}
    for place in range(rows * width):
        name = pupils[place] if place < len(pupils) else "-"
        chart.setdefault(f"row {place // width + 1}", []).append(name)
    return chart


# call: weighted_mark({"test": 80, "oral": 60})
# call: weighted_mark({"exam": 75.5})
# call: weighted_mark({})
# call: weighted_mark({"test": 64, "oral": 91, "exam": 70, "project": 88, "homework": 100})
# call: weighted_mark({"doodles": 100})
# call: weighted_mark({"test": "80"})
def weighted_mark(marks):
    weights = {"exam": 5, "test": 2, "oral": 1, "project": 3}
    total = weight = 0
    for kind, mark in marks.items():
        w = weights.get(kind, 0)
        total += w * mark
        weight += w
    try:
        return round(total / weight, 1)
    except ZeroDivisionError:
        return None


# call: absences(["Mon: Ann, Bob", "Tue: Ann"])
# call: absences(["Wed: "])
# call: absences([])
# call: absences(["Mon: A, B, C", "Tue: B", "Wed: B, D", "Thu:", "Fri: A, B, E, D"])
# call: absences(["Mon: Ann, Ann"])
# call: absences(["Monday Ann"])
def absences(register):
    days = {}
    for line in register:
        day, names = line.split(":")
        for name in names.split(","):
            name = name.strip()
            if name:
                days.setdefault(name, []).append(day)
    return {name: len(d) if len(d) > 1 else d[0] for name, d in days.items()}


# call: curve([50, 60, 75])
# call: curve([98, 40], most=5)
# call: curve([0])
# call: curve([33, 48, 52, 61, 67, 70, 71, 84, 89], most=8)
# call: curve([100, 100])
# call: curve([])
def curve(points, most=10):
    bonus = min(100 - max(points), most)
    for i in range(len(points)):
        points[i] += bonus
    return points, bonus


# call: spelling_test(["ship", "cheese"], ["ship", "chease"])
# call: spelling_test(["a"], ["A"])
# call: spelling_test([], [])
# call: spelling_test(["rhythm", "island", "knife", "answer", "ghost"], ["rythm", "island", " knife", "anser", "Ghost "])
# call: spelling_test(["tea", "pot"], ["tea"])
# call: spelling_test(["tea"], [None])
def spelling_test(words, answers):
    wrong = []
    for word, answer in zip(words, answers):
        answer = answer.strip().lower()
        if answer != word:
            first = next((i for i, (a, b) in enumerate(zip(word, answer)) if a != b), min(len(word), len(answer)))
            wrong.append(f"{word}@{first}")
    return f"{len(words) - len(wrong)}/{len(words)}", wrong


# call: marks_histogram([3, 1, 3, 2])
# call: marks_histogram([5])
# call: marks_histogram([])
# call: marks_histogram([1, 2, 2, 3, 3, 3, 4, 4, 3, 2, 6, 1])
# call: marks_histogram([0, 7])
# call: marks_histogram([2, "2"])
def marks_histogram(marks):
    rows = []
    for mark in range(min(marks, default=1), max(marks, default=0) + 1):
        n = marks.count(mark)
        rows.append(f"{mark} {'=' * n}{' ' * bool(n)}{n or ''}".rstrip())
    return rows


# call: pass_or_repeat([("Ann", [4, 3, 2]), ("Bob", [5, 5, 1])])
# call: pass_or_repeat([("Cy", [6])])
# call: pass_or_repeat([])
# call: pass_or_repeat([("A", [1, 2, 5]), ("B", [6, 1, 1]), ("C", [5, 5, 2, 2]), ("D", [4, 4, 4]), ("E", [5, 6, 6])])
# call: pass_or_repeat([("A", [])])
# call: pass_or_repeat([("A", None)])
def pass_or_repeat(reports):
    """German marks: 1 is best; one 5 is allowed, a 6 is not."""
    repeat, promoted = [], []
    for name, marks in reports:
        fives = marks.count(5)
        ok = fives < 2 and 6 not in marks
        if fives == 2 and marks.count(2) + marks.count(1) >= 2:
            ok = True
        (promoted if ok else repeat).append(name)
    return {"promoted": promoted, "repeat": repeat}


# call: Gradebook().enter("Ann 2", "Bob 3", "Ann 1")
# call: Gradebook("art").enter("Cy 4")
# call: Gradebook().enter()
# call: Gradebook("music").enter("A 1", "B 5", "C 3", "A 2", "B 4", "A 6", "C 3", "B -")
# call: Gradebook().enter("Ann -")
# call: Gradebook().enter("Ann")
class Gradebook:
    def __init__(self, subject="maths"):
        self.subject = subject
        self.marks = {}

    def __len__(self):
        return sum(len(m) for m in self.marks.values())

    def __getitem__(self, name):
        *older, newest = self.marks[name]
        trend = newest - older[-1] if older else 0
        return f"{newest}{'=+-'[(trend > 0) - (trend < 0)]}"

    def enter(self, *entries):
        for entry in entries:
            name, mark = entry.split()
            if mark == "-":
                continue
            self.marks.setdefault(name, []).append(int(mark))
        return self.subject, len(self), [(name, self[name]) for name in sorted(self.marks)]


# call: homework_points(["done", "late", "done"])
# call: homework_points(["missing"])
# call: homework_points([])
# call: homework_points(["done", "late", "late", "missing", "sick", "done", "late", "done", "done", "late"])
# call: homework_points(["sick", "sick"])
# call: homework_points(["done", "dog ate it"])
def homework_points(status):
    late = 0
    points = 0
    for s in status:
        if s == "sick":
            continue
        points += {"done": 3, "late": 2, "missing": 0}[s]
        if s == "late":
            late += 1
            if late % 3 == 0:
                points -= 3
    return points, late


# call: name_tags(["ann lee", "bob ray"])
# call: name_tags(["cher"])
# call: name_tags([])
# call: name_tags(["anna maria von trapp", "bo", "Élise o'hara", "jean-luc picard", "x y z"])
# call: name_tags(["  double  space "])
# call: name_tags([("ann", "lee")])
def name_tags(names):
    tags = []
    for name in names:
        *first, last = name.split()
        short = "".join(f[0].upper() + "." for f in first)
        tags.append(f"{last.title()}, {short}" if short else last.title())
    return tags


# call: exam_rooms(50, {"hall": 30, "lab": 25})
# call: exam_rooms(10, {"hall": 30})
# call: exam_rooms(0, {"hall": 30})
# call: exam_rooms(120, {"gym": 60, "r12": 24, "lab": 18, "r7": 24, "attic": 5})
# call: exam_rooms(31, {"hall": 30})
# call: exam_rooms(5, {"hall": None, "lab": 3})
def exam_rooms(students, rooms):
    plan = {}
    for room, seats in sorted(rooms.items(), key=lambda r: -r[1]):
        if students == 0:
            break
        plan[room] = min(seats, students)
        students -= plan[room]
    else:
        if students:
            return f"{students} students without a seat"
    return plan


# call: best_subject({"maths": 2, "art": 1, "music": 1})
# call: best_subject({"art": 3})
# call: best_subject({"art": 6, "pe": 6})
# call: best_subject({"maths": 4, "physics": 3, "latin": 5, "art": 2, "pe": 2.0, "history": 3})
# call: best_subject({"art": True, "pe": 1})
# call: best_subject({})
def best_subject(report):
    ordered = sorted(report, key=lambda subject: report[subject])
    best, worst = ordered[0], ordered[-1]
    if report[best] == report[worst] and len(ordered) > 1:
        return "all the same"
    text = best.capitalize()
    for other in ordered[1:]:
        if report[other] > report[best]:
            break
        text += " & " + other
    return f"{text} ({report[best]})"


# call: quiz_score("abcd", "abdd")
# call: quiz_score("aab", "a-b")
# call: quiz_score("", "")
# call: quiz_score("abcdabcdab", "abcc-b-daa")
# call: quiz_score("abc", "---")
# call: quiz_score("abc", "ab")
def quiz_score(key, answers):
    """+4 right, -1 wrong, 0 for a dash."""
    if len(key) != len(answers):
        raise ValueError(f"{len(key)} questions but {len(answers)} answers")
    score = 0
    for right, given in zip(key, answers):
        if given == right:
            score += 4
        elif given != "-":
            score -= 1
    return max(score, 0), f"{100 * score // (4 * len(key) or 1)}%"


# call: merge_classes({"Ann", "Bob"}, {"Cy", "Bob"})
# call: merge_classes({"Ann"}, set())
# call: merge_classes(set(), set())
# call: merge_classes({"A", "B", "C", "D"}, {"E", "F", "B"}, size=3)
# call: merge_classes({"A", "B"}, {"A", "B"})
# call: merge_classes(["A"], {"B"})
def merge_classes(first, second, size=4):
    pupils = sorted(first | second)
    twice = sorted(first & second)
    if twice:
        pupils = [p + "*" if p in twice else p for p in pupils]
    return pupils[:size], len(pupils[size:])


# call: attendance_rate("PPAP")
# call: attendance_rate("PLP")
# call: attendance_rate("P")
# call: attendance_rate("PPPAPLPPAEPPLLPPPAPP")
# call: attendance_rate("EEE")
# call: attendance_rate("PX")
def attendance_rate(marks):
    worth = {"P": 1, "L": 0.5, "A": 0}
    counted = [worth[m] for m in marks if m != "E"]
    if not counted:
        return "excused"
    rate = sum(counted) / len(counted)
    return f"{rate:.1%}" + ("!" if rate < 0.8 else "")


# call: move_up_classes({"1a": ["Ann"], "2a": ["Bob"]})
# call: move_up_classes({"4b": ["Cy", "Dee"]})
# call: move_up_classes({})
# call: move_up_classes({"1a": ["A", "B"], "1b": ["C"], "2a": [], "3c": ["D"], "4a": ["E", "F"]})
# call: move_up_classes({"9z": []})
# call: move_up_classes({"x1": ["A"]})
def move_up_classes(classes, last=4):
    following, leavers = {}, []
    for label, pupils in classes.items():
        year, letter = int(label[:-1]), label[-1]
        if year >= last:
            leavers += pupils
        else:
            following[f"{year + 1}{letter}"] = pupils
    return following, leavers


# call: essay_stats("One two. Three four five!")
# call: essay_stats("Why?")
# call: essay_stats("")
# call: essay_stats("The dog ran. The cat sat there! Did the bird, which was small, fly away? It did.")
# call: essay_stats("...")
# call: essay_stats(["text"])
import re


def essay_stats(essay):
    sentences = [s for s in re.split(r"[.!?]+\s*", essay) if s]
    lengths = [len(s.split()) for s in sentences]
    longest = max(lengths, default=0)
    return {"sentences": len(lengths), "words": sum(lengths), "longest": longest}


# call: table_rows([("Ann", 90.5), ("Bob", 7)])
# call: table_rows([("X", 100)])
# call: table_rows([])
# call: table_rows([("Alexander", 66.666), ("Bo", 0.05), ("Christine", 99.95), ("Di", 45)])
# call: table_rows([("", -1)])
# call: table_rows([("Ann", "90")])
def table_rows(results):
    width = max([len(name) for name, _ in results] + [4])
    head = f"{'name':<{width}} {'score':>6}"
    body = [f"{name:<{width}} {score:6.1f}" for name, score in results]
    return [head, "-" * len(head), *body]


# call: top_half([("Ann", 3), ("Bob", 9), ("Cy", 5)])
# call: top_half([("Ann", 3)])
# call: top_half([])
# call: top_half([("A", 10), ("B", 40), ("C", 20), ("D", 40), ("E", 5), ("F", 30), ("G", 15)])
# call: top_half([("A", 1), ("B", 1)])
# call: top_half([("A", 1), ("B", "1")])
from statistics import median


def top_half(results):
    if not results:
        return []
    limit = median(score for _, score in results)
    top = [name for name, score in results if score > limit]
    return top, limit


# call: group_work(["Ann", "Bob", "Cy", "Dee"], 2)
# call: group_work(["Ann", "Bob", "Cy"], 2)
# call: group_work([], 3)
# call: group_work(["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K"], 3)
# call: group_work(["A"], 4)
# call: group_work(["A", "B"], 0)
def group_work(pupils, size):
    number = max(len(pupils) // size, 1)
    groups = [[] for _ in range(number)]
    for i, pupil in enumerate(pupils):
        groups[i % number].append(pupil)
    return {f"group {i}": g for i, g in enumerate(groups, start=1) if g}


# call: library_fine(10, 14)
# call: library_fine(14, 10)
# call: library_fine(5, 5)
# call: library_fine(1, 60, rate=20)
# call: library_fine(1, 30, books=3)
# call: library_fine("1", 30)
def library_fine(due, returned, books=1, rate=10):
    late = returned - due
    if late <= 0:
        return "in time"
    fine = 0
    for day in range(1, late + 1):
        fine += rate * books * (2 if day > 14 else 1)
        if fine >= 500 * books:
            fine = 500 * books
            break
    return f"{fine / 100:.2f} for {late} days"


# call: Teacher("Ms Ito").teach("art", "pe")
# call: Teacher("Mr Bo", limit=1).teach("maths", "pe")
# call: Teacher("").teach()
# call: Teacher("Dr Who", 4).teach("time", "space", "art", "pe", "latin", "history")
# call: Teacher("Mx Z").teach("art", "art")
# call: Teacher("Mr Bo", "many").teach("art")
class Person:
    def __init__(self, name):
        self.name = name or "nobody"

    def greet(self):
        return f"I am {self.name}"


class Teacher(Person):
    def __init__(self, name, limit=3):
        super().__init__(name)
        self.limit = limit
        self.subjects = []

    def greet(self):
        return super().greet() + " and teach " + (" and ".join(self.subjects) or "nothing")

    def teach(self, *subjects):
        for subject in subjects:
            if len(self.subjects) < self.limit and subject not in self.subjects:
                self.subjects.append(subject)
        return self.greet()


# call: Headmaster("Ann", 500).approve([("books", 200), ("balls", 400)])
# call: Headmaster("Bob", 90).approve([("chalk", 90)])
# call: Headmaster("Cy", 0).approve([])
# call: Headmaster("Dee", 1000).approve([("desks", 640), ("trip", 300), ("globe", 75), ("chalk", 12), ("piano", 2500), ("soap", 48)])
# call: Headmaster("Eli", 10).approve([("refund", -50), ("bell", 55)])
# call: Headmaster("Flo", 10).approve([("bell",)])
class Budget:
    def __init__(self, cents):
        self.left = cents

    def __sub__(self, cost):
        if cost > self.left:
            raise OverflowError(cost - self.left)
        return Budget(self.left - cost)


class Headmaster:
    def __init__(self, name, money):
        self.name, self.budget = name, Budget(money)

    def approve(self, wishes):
        refused = {}
        for what, cost in wishes:
            try:
                self.budget = self.budget - cost
            except OverflowError as e:
                refused[what] = e.args[0]
        return f"{self.name} has {self.budget.left} left", refused


# call: timetable_clash({"Ann": {"art": 1, "pe": 2}, "Bob": {"art": 3, "pe": 3}})
# call: timetable_clash({"Cy": {"art": 1}})
# call: timetable_clash({})
# call: timetable_clash({"A": {"x": 1, "y": 1, "z": 2}, "B": {"x": 4}, "C": {"u": 5, "v": 6, "w": 5, "x": 6}})
# call: timetable_clash({"A": {}})
# call: timetable_clash({"A": ["art"]})
def timetable_clash(pupils):
    clashes = []
    for pupil, lessons in pupils.items():
        taken = {}
        for subject, hour in lessons.items():
            if hour in taken:
                clashes.append((pupil, hour, f"{taken[hour]}/{subject}"))
            else:
                taken[hour] = subject
    return clashes


# call: mental_maths("3 + 4", "9 - 2 - 1")
# call: mental_maths("6 * 7")
# call: mental_maths()
# call: mental_maths("1 + 2 * 3", "100 / 7", "8 - 20", "2 * 2 * 2 * 2", "5")
# call: mental_maths("7 / 0", "1 + 1")
# call: mental_maths("2 ^ 3")
import operator


def mental_maths(*tasks):
    """Strictly from left to right, as pupils do."""
    ops = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv}
    answers = []
    for task in tasks:
        result, *rest = task.split()
        result = int(result)
        try:
            for sign, number in zip(rest[::2], rest[1::2]):
                result = ops[sign](result, int(number))
        except ZeroDivisionError:
            result = "not allowed"
        answers.append(result)
    return answers


# call: improve([("Ann", 50, 60), ("Bob", 80, 70)])
# call: improve([("Cy", 10, 10)])
# call: improve([])
# call: improve([("A", 40, 44), ("B", 90, 95), ("C", 60, 30), ("D", 10, 55), ("E", 77, 77), ("F", 20, 30)])
# call: improve([("A", 0, 5)])
# call: improve([("A", "50", 60)])
def improve(results):
    lines = []
    for name, before, after in sorted(results, key=lambda r: r[1] - r[2]):
        change = after - before
        arrow = "↑" if change > 0 else "↓" if change < 0 else "="
        percent = f" ({change / before:+.0%})" if before else ""
        lines.append(f"{name} {arrow}{abs(change)}{percent}")
    return lines


# call: add_mark({"Ann": [1]}, "Ann", 2)
# call: add_mark({}, "Bob", 3)
# call: add_mark({"Ann": []}, "Ann", 6)
# call: add_mark({"A": [1, 2, 3, 4, 5], "B": [2]}, "A", 1, keep=4)
# call: add_mark({"A": [3]}, "A", 7)
# call: add_mark({"A": (1, 2)}, "A", 3)
def add_mark(book, name, mark, keep=5):
    if mark not in range(1, 7):
        return book
    marks = book.setdefault(name, [])
    marks += [mark]
    if len(marks) > keep:
        worst = max(marks)
        marks.remove(worst)
    book[name] = marks
    return book


# call: template_grades(["Ann", "Bob"], 2)
# call: template_grades(["Ann"], 0)
# call: template_grades([], 3)
# call: template_grades(["A", "B", "C", "D", "E", "F"], 6)
# call: template_grades(["A", "A"], 1)
# call: template_grades(["A", ["B"]], 1)
def template_grades(names, first_mark):
    # dict.fromkeys: everybody gets the very same list
    grades = dict.fromkeys(names, [])
    for i, name in enumerate(names):
        grades[name].append(first_mark + i)
    own = {name: [first_mark + i] for i, name in enumerate(names)}
    return grades, grades == own


# call: olympiad_medals([("Ann", 30), ("Bob", 40), ("Cy", 20), ("Dee", 10)])
# call: olympiad_medals([("Ann", 1)])
# call: olympiad_medals([])
# call: olympiad_medals([("A", 7), ("B", 9), ("C", 9), ("D", 8), ("E", 7), ("F", 3), ("G", 8)])
# call: olympiad_medals([("A", 5), ("B", 5), ("C", 5), ("D", 5)])
# call: olympiad_medals(["Ann", "Bob"])
def olympiad_medals(results):
    levels = sorted({score for _, score in results}, reverse=True)
    medals = dict(zip(levels, ("gold", "silver", "bronze")))
    podium = {}
    for name, score in results:
        if score in medals:
            podium.setdefault(medals[score], []).append(name)
    return podium


# call: read_marks("Ann: 1 2 3\nBob: 4")
# call: read_marks("Cy: 2+")
# call: read_marks("")
# call: read_marks("Ann: 1 2- 3+\n# makeup test\nBob: 4 5\n\nCy:\nDee: 2 2 2 1-")
# call: read_marks("Ann: 1\nAnn: 2")
# call: read_marks("Ann: one")
def read_marks(text):
    def value(mark):
        shift = {"+": -0.25, "-": 0.25}.get(mark[-1], 0)
        return int(mark.rstrip("+-")) + shift

    book = {}
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        name, _, marks = line.partition(":")
        book[name] = [value(m) for m in marks.split()]
    return book


# call: gpa([("maths", "A", 4), ("art", "B", 2)])
# call: gpa([("pe", "C", 1)])
# call: gpa([])
# call: gpa([("a", "A", 3), ("b", "B+", 4), ("c", "C-", 2), ("d", "A+", 5), ("e", "F", 3), ("f", "P", 6)])
# call: gpa([("a", "P", 3)])
# call: gpa([("a", "E", 3)])
def gpa(courses):
    scale = {"A": 4.0, "B": 3.0, "C": 2.0, "D": 1.0, "F": 0.0}
    points = credits = 0
    for _, grade, credit in courses:
        if grade == "P":
            continue
        value = scale[grade[0]]
        if grade.endswith("+"):
            value = min(value + 0.3, 4.0)
        elif grade.endswith("-"):
            value -= 0.3
        points += value * credit
        credits += credit
    return f"{points / credits:.2f}" if credits else "n/a"


# call: Course("bio", 2).join("Ann", "Bob", "Cy")
# call: Course("art").join("Ann")
# call: Course("zen", 0).join()
# call: Course("chess", 3).join("A", "B", "-A", "C", "D", "E", "-B", "F", "-E", "B")
# call: Course("bio").join("Ann", "Ann")
# call: Course("bio").join("-Zed")
class Course:
    count = 0

    def __init__(self, title, places=3):
        type(self).count += 1
        self.title, self.places = title, places
        self.members, self.waiting = [], []

    def join(self, *names):
        for name in names:
            if name.startswith("-"):
                self.leave(name[1:])
            elif name in self.members + self.waiting:
                pass
            elif len(self.members) < self.places:
                self.members.append(name)
            else:
                self.waiting.append(name)
        return f"{self.title}: {self.members} +{self.waiting}", self.count

    def leave(self, name):
        if name in self.waiting:
            self.waiting.remove(name)
            return
        self.members.remove(name)
        if self.waiting:
            self.members.append(self.waiting.pop(0))


# call: birthdays([("Ann", 3, 14), ("Bob", 12, 1)], (6, 1))
# call: birthdays([("Cy", 6, 1)], (6, 1))
# call: birthdays([], (1, 1))
# call: birthdays([("A", 2, 29), ("B", 7, 4), ("C", 1, 31), ("D", 12, 24), ("E", 7, 3), ("F", 5, 9)], (7, 4))
# call: birthdays([("A", 1, 1)], (12, 31))
# call: birthdays([("A", 1)], (1, 1))
def birthdays(pupils, today):
    def wait(pupil):
        _, month, day = pupil
        return (month, day) < today, month, day

    upcoming = sorted(pupils, key=wait)
    if not upcoming:
        return "no cake"
    name, month, day = upcoming[0]
    when = "today" if (month, day) == today else f"{day}.{month}."
    return f"{name} {when}", [p[0] for p in upcoming[1:]]


# call: tree_pupils({"school": {"1a": 24, "1b": 22}})
# call: tree_pupils({"x": 3})
# call: tree_pupils({})
# call: tree_pupils({"north": {"lower": {"1": 20, "2": 19}, "upper": {"3": 15}}, "south": {"1": 9}, "west": 0})
# call: tree_pupils({"a": {}})
# call: tree_pupils({"a": {"b": "20"}})
def tree_pupils(tree, path=""):
    lines = []
    for name, part in tree.items():
        here = f"{path}{name}"
        if isinstance(part, dict):
            lines += tree_pupils(part, here + ".") or [here + " is empty"]
        elif part > 0:
            lines.append(f"{here}={part}")
    return lines


# call: mark_words([1, 3, 5])
# call: mark_words([2])
# call: mark_words([])
# call: mark_words([1, 2, 3, 4, 5, 6, 1.3, 2.7, 4.5, 3.5])
# call: mark_words([0, 7])
# call: mark_words(["good"])
def mark_words(marks):
    words = dict(enumerate("very good,good,fair,enough,poor,failed".split(","), 1))
    return [words.get(round(mark), f"{mark}?") for mark in marks]


# call: compare_classes([70, 80, 90], [60, 85])
# call: compare_classes([50], [50])
# call: compare_classes([1], [])
# call: compare_classes([55, 62, 71, 88, 93, 47], [58, 64, 69, 90, 91, 40, 77])
# call: compare_classes([], [])
# call: compare_classes([70], [None])
def compare_classes(a, b):
    won = {"a": 0, "b": 0}
    for x, y in zip(sorted(a, reverse=True), sorted(b, reverse=True)):
        if x == y:
            continue
        won["a" if x > y else "b"] += 1
    match won:
        case {"a": m, "b": n} if m == n:
            return "level", m
        case {"a": m, "b": n}:
            return ("a", m - n) if m > n else ("b", n - m)


# call: yearbook(title="Class 4b", Ann="pilot", Bob="chef")
# call: yearbook(Cy="vet")
# call: yearbook()
# call: yearbook(title="Leavers of the old school", A="doctor", B="singer", C="vet", D="doctor", E="baker")
# call: yearbook(title="", A="")
# call: yearbook("Class", "Ann")
def yearbook(title="Yearbook", **dreams):
    jobs = {}
    for name, dream in dreams.items():
        jobs.setdefault(dream or "mystery", []).append(name)
    lines = [title.center(16, "*")]
    for job in sorted(jobs):
        *others, last = jobs[job]
        who = ", ".join(others) + " and " + last if others else last
        lines.append(f"{who}: {'an' if job[0] in 'aeiou' else 'a'} {job}")
    return lines


# call: exam_timer([("A", 30), ("B", 45)], 60)
# call: exam_timer([("A", 10)], 60)
# call: exam_timer([], 60)
# call: exam_timer([("1a", 12), ("1b", 8), ("2", 25), ("3a", 7), ("3b", 18), ("4", 40)], 90)
# call: exam_timer([("A", 61)], 60)
# call: exam_timer([("A", -5), ("B", "x")], 60)
from itertools import accumulate


def exam_timer(tasks, minutes):
    ends = accumulate((length for _, length in tasks), initial=0)
    next(ends)
    done = []
    for (task, length), end in zip(tasks, ends):
        if end > minutes:
            done.append(f"{task}: {max(minutes - end + length, 0)} of {length}")
        else:
            done.append(task)
    return done


# call: relay_team({"Ann": 14.2, "Bob": 13.9, "Cy": 15.0})
# call: relay_team({"A": 12})
# call: relay_team({})
# call: relay_team({"A": 13.5, "B": 12.75, "C": 14.0, "D": 13.0, "E": 12.5, "F": 15.25}, 4)
# call: relay_team({"A": 9, "B": 9}, 1)
# call: relay_team({"A": 9, "B": "10"})
def relay_team(times, size=2):
    """The second fastest starts, the fastest runs last."""
    fastest = sorted(times, key=times.__getitem__)[:size]
    if len(fastest) < size:
        return None
    last, *others = fastest
    clock, splits = 0, []
    for runner in (*others, last):
        clock += times[runner]
        splits.append(f"{runner} {clock:.2f}")
    return splits


# call: secret_santa(["Ann", "Bob", "Cy"], 1)
# call: secret_santa(["A", "B"], 3)
# call: secret_santa([], 1)
# call: secret_santa(["A", "B", "C", "D", "E", "F", "G"], 4)
# call: secret_santa(["A", "B"], 2)
# call: secret_santa(["A", "B"], 0.5)
def secret_santa(pupils, shift):
    if pupils and shift % len(pupils) == 0:
        return "everybody gets their own present"
    gives = {}
    for i in range(len(pupils)):
        gives[pupils[i]] = pupils[(i + shift) % len(pupils)]
    mutual = [p for p in pupils if gives[gives[p]] == p]
    return gives, len(mutual) // 2


# call: stars_for("Ann**, Bob*, Ann*")
# call: stars_for("Cy")
# call: stars_for("")
# call: stars_for("A*, B***, C, A**, D****, B*, E*, C**, A")
# call: stars_for("*, **")
# call: stars_for(5)
def stars_for(text):
    stars = {}
    for part in text.split(", "):
        name = part.rstrip("*")
        if name:
            stars[name] = stars.get(name, 0) + len(part) - len(name)
    most = max(stars.values(), default=0)
    return [n for n in stars if stars[n] == most], most


# call: lunch_money({"Ann": 10}, ["Ann soup", "Ann cake"])
# call: lunch_money({"Bob": 3}, ["Bob soup"])
# call: lunch_money({}, [])
# call: lunch_money({"A": 20, "B": 7, "C": 0}, ["A pasta", "B soup", "C cake", "A cake", "B pasta", "A pasta", "A soup", "C soup"])
# call: lunch_money({"A": 5}, ["A water"])
# call: lunch_money({"A": 5}, ["Z soup"])
def lunch_money(wallets, orders, prices={"soup": 4, "cake": 3, "pasta": 6}):
    debts = []
    for order in orders:
        who, what = order.split()
        price = prices.setdefault(what, 1)
        wallets[who] -= price
        if wallets[who] < 0:
            debts.append(f"{who} owes {-wallets[who]}")
            wallets[who] = 0
    return wallets, debts, len(prices)


# call: diploma("Ann Lee", 1.3)
# call: diploma("Bob", 3.7, year=1999)
# call: diploma("", 0)
# call: diploma("Maximilian Featherstonehaugh", 2.45, "Chemistry")
# call: diploma("Eve", 5)
# call: diploma("Eve", "1.0")
def diploma(name, mark, subject="Arts", year=2024):
    honours = ""
    if mark <= 1.5:
        honours = " with honours"
    elif mark > 4:
        raise ValueError(f"{name} did not pass: {mark:.1f}")
    return "{0:^20}|{1} {2}|{3:.1f}{4}".format(name[:20], subject.upper(), year % 100, mark, honours)


# call: split_sections(["Ann", "Bob", "Cy"], by="first")
# call: split_sections(["Zoe", "Ann"], "length")
# call: split_sections([])
# call: split_sections(["Ann", "Bob", "Amy", "Cyd", "Bea", "Alexander", "Christopher", "Bo", "Di"])
# call: split_sections(["ann", "Ann"], "first")
# call: split_sections(["Ann"], "age")
def split_sections(names, by="first"):
    keys = {"first": lambda n: n[0].upper(), "length": len, "last": lambda n: n[-1]}
    key = keys[by]
    sections = {}
    for name in sorted(names, key=lambda n: (key(n), n)):
        sections.setdefault(key(name), []).append(name)
    return sections


# call: Points(3).compare([(2, 5), (3, 1)])
# call: Points(0).compare([(0, 0)])
# call: Points(9).compare([])
# call: Points(5, 2).compare([(5, 2), (5, 1), (5, 9), (4, 4), (6, 0), (5, 2)])
# call: Points(-1).compare([(-1, -1)])
# call: Points(1).compare([("1", 0)])
from functools import total_ordering


@total_ordering
class Points:
    def __init__(self, main, extra=0):
        self.main, self.extra = main, extra

    def __eq__(self, other):
        return (self.main, self.extra) == (other.main, other.extra)

    def __lt__(self, other):
        if self.main == other.main:
            return self.extra < other.extra
        return self.main < other.main

    def compare(self, pairs):
        signs = ""
        for pair in pairs:
            other = Points(*pair)
            signs += ">" if self > other else "<" if self < other else "="
        return signs


# call: extra_lessons({"Ann": {"maths": 5, "art": 1}, "Bob": {"maths": 2}})
# call: extra_lessons({"Cy": {"art": 4}})
# call: extra_lessons({})
# call: extra_lessons({"A": {"x": 5, "y": 4}, "B": {"x": 6, "z": 1}, "C": {"y": 5, "z": 5}, "D": {"x": 5}})
# call: extra_lessons({"A": {}}, limit=0)
# call: extra_lessons({"A": {"x": None}})
def extra_lessons(reports, limit=4):
    need = {
        subject: sorted(who for who, marks in reports.items() if marks.get(subject, 0) > limit)
        for subject in {s: 1 for marks in reports.values() for s in marks}
    }
    return [f"{subject}: {', '.join(names)}" for subject, names in need.items() if names]
