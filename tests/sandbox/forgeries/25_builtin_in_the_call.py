# way: the request in our hands | tries: eval and exec are exchanged where ours look them up | want: refused
import builtins


def f(x):
    return x + 6  # step


real = print.__self__
kept = real.eval
real.eval = lambda code, names=None: f(36) if names and "__take" in names else kept(code, names)
