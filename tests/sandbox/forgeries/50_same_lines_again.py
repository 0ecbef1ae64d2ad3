# way: code that is not in the source | tries: a function is executed again on its own lines, with another body | want: refused
def g(x):
    a = x * 6  # never
    return a  # never


def f(x):
    return g(x)  # step


text = "\n" * (g.__code__.co_firstlineno - 1) + "def g(x):\n    a = x + 6\n    return a\n"
exec(compile(text, g.__code__.co_filename, "exec"))
