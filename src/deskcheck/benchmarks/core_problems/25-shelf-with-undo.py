# family: data structures
# title: a shelf that can undo
# time: O(n^2)
# space: O(n^2)
# english: Puts books on a shelf, takes the last one off and undoes the last action, keeping copies of earlier states. Taking from an empty shelf or undoing nothing fails.
# chinese: 把书放上书架、取下最后一本，或撤销上一步，为此保存以前状态的副本。从空书架取书或无可撤销时报错。
# call: run("fox take undo")
# call: run("take")
# call: run("elm oak take ash undo undo yew")
class Shelf:
    def __init__(self):
        self.books = []
        self.past = []

    def put(self, book):
        self.past.append(self.books[:])
        self.books.append(book)

    def take(self):
        self.past.append(self.books[:])
        return self.books.pop()

    def undo(self):
        self.books = self.past.pop()


def run(orders):
    shelf = Shelf()
    for order in orders.split():
        if order == "take":
            shelf.take()
        elif order == "undo":
            shelf.undo()
        else:
            shelf.put(order)
    return shelf.books, len(shelf.past)
