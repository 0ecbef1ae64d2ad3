# way: code that is not in the source | tries: a method's code is exchanged for code of the same lines | want: refused
class Box:
    def take(self, x):
        return x + 60  # never


code = Box.take.__code__
text = "\n" * (code.co_firstlineno - 1) + "def take(self, x):\n    return x + 6\n"
names = {}
exec(compile(text, code.co_filename, "exec"), names)
Box.take = names["take"]


def f(x):
    return Box().take(x)  # step
